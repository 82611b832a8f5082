// Buttons: `primary` for the one thing to do here, `plain` for the rest, `danger` for what cannot be taken back.

import type { ComponentProps, ReactNode } from 'react';
import { Icon } from './icon.js';
import type { IconName } from './icon.js';
import styles from './button.module.css';

type Kind = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'type'> {
  kind?: Kind;
  type?: 'button' | 'submit';
  icon?: IconName;
  /** Shows that it works, and takes no further click. */
  isBusy?: boolean;
  children?: ReactNode;
}

export function Button({
  kind = 'plain',
  type = 'button',
  icon,
  isBusy = false,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-busy={isBusy || undefined}
      disabled={rest.disabled === true || isBusy}
      className={`${styles.button} ${styles[kind] ?? ''} ${className ?? ''}`}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  icon: IconName;
  /** The accessible name, also the tooltip. */
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
