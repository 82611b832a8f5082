// Buttons: `primary` for the main action of a screen, `soft` for the main action while another may become it, `line` inside a card, `plain`
// and `quiet` for other actions, `danger` for actions that cannot be undone.

import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';
import styles from './button.module.css';

type Kind = 'primary' | 'soft' | 'line' | 'plain' | 'quiet' | 'danger';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'type'> {
  kind?: Kind;
  type?: 'button' | 'submit';
  icon?: IconName;
  /** Its words stand in line with the text above them, as it has no ground at rest. */
  isFlush?: boolean;
  /** Shows that the action runs, and ignores clicks. The button keeps the focus, which a disabled button would lose. */
  isBusy?: boolean;
  children?: ReactNode;
}

/** Preventing the default also stops Enter in a field from submitting the form through this button. */
const ignore = (event: MouseEvent) => event.preventDefault();

export function Button({
  kind = 'plain',
  type = 'button',
  icon,
  isFlush = false,
  isBusy = false,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      {...(isBusy && { onClick: ignore, 'aria-busy': true, 'aria-disabled': true })}
      type={type}
      data-flush={isFlush || undefined}
      className={`${styles.button} ${styles[kind] ?? ''} ${className ?? ''}`}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  icon: IconName;
  /** The accessible name, which is also the tooltip. */
  label: string;
}

export function IconButton({ icon, label, kind = 'quiet', className, ...rest }: IconButtonProps) {
  return (
    <Button
      {...rest}
      kind={kind}
      icon={icon}
      aria-label={label}
      title={label}
      className={`${styles.icon} ${className ?? ''}`}
    />
  );
}
