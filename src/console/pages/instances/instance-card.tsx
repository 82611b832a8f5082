// An instance: its state in words, its actions, and further details on demand.

import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ask } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Badge } from '../../parts/badge.js';
import { Button, IconButton } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { Icon } from '../../parts/icon.js';
import { Menu, MenuItem } from '../../parts/menu.js';
import { notify } from '../../parts/notices.js';
import { PhoneNumber } from '../../parts/phone-number.js';
import { TryNow } from '../../parts/try-now.js';
import { providerName } from '../../parts/providers.js';
import { ConnectPanel } from './connect-panel.js';
import { adviceOnGateway, gatewayTexts } from './gateway-texts.js';
import { InstanceDetails } from './instance-details.js';
import { InstanceFigures } from './instance-figures.js';
import { InstanceForm } from './instance-form.js';
import styles from './instances.module.css';
import {
  DeleteInstanceDocument,
  DisconnectInstanceDocument,
  UpdateInstanceDocument,
  type ChatInstanceStatus,
  type InstanceCardFragment,
} from './operations.js';
import { scanTexts } from './scan-texts.js';
import { instancesTexts } from './texts.js';
import type { Traffic } from './use-traffic.js';

interface InstanceCardProps {
  instance: InstanceCardFragment;
  isOpen: boolean;
  isAdmin: boolean;
  /** True where the instances are of several accounts. */
  saysAccount: boolean;
  /** Undefined until it is known. */
  traffic: Traffic | undefined;
  onToggle: () => void;
  onState: (state: Partial<InstanceCardFragment>) => void;
  /** Other instances may have changed too, so all are read again. */
  onChanged: () => void;
}

/** Returns true if the instance has a session. A degraded session may not work. */
const isConnected = (status: ChatInstanceStatus) => status === 'CONNECTED' || status === 'DEGRADED';

type Asked = 'disconnect' | 'delete' | 'edit';

/** The instance that the palette shows, or that was just made, is gone on with: its acts stand behind its name. */
function useFocusOnce(isOpen: boolean) {
  const name = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) name.current?.focus();
  }, [isOpen]);
  return name;
}

export function InstanceCard(props: InstanceCardProps) {
  const { instance, isOpen, isAdmin, saysAccount, traffic, onToggle, onState, onChanged } = props;
  const texts = useTexts(instancesTexts);
  const formats = useFormats();
  const [isConnecting, setIsConnecting] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const [edits, setEdits] = useState(0);
  const { id, instanceName, number, provider, status, isDefault, account } = instance;
  const makeDefault = useAction(async () => {
    await ask(UpdateInstanceDocument, { id, input: { isDefault: true } });
    notify(texts.nowDefault(instanceName));
    onChanged();
  });
  const waiting = traffic?.waiting ?? 0;
  const canConnect = isAdmin && !isConnected(status) && !isConnecting;
  const canTry = waiting > 0 && instance.healthCode === 'UNREACHABLE';
  const close = () => setAsked(undefined);
  const name = useFocusOnce(isOpen);
  return (
    <li className={styles.card} data-status={status}>
      <header className={styles.head}>
        <div className={styles.who}>
          <button ref={name} type="button" className={styles.name} aria-expanded={isOpen} onClick={onToggle}>
            <Icon name={isOpen ? 'down' : 'next'} size={14} />
            <i className={styles.dot} />
            <h2 dir="auto">{instanceName}</h2>
          </button>
          {isDefault && <Badge kind="accent">{texts.isDefault}</Badge>}
          {(number !== null || saysAccount) && (
            <p className={styles.account}>
              {number !== null && (
                <b>
                  <PhoneNumber of={number} />
                </b>
              )}{' '}
              {saysAccount && (
                <span dir="auto" title={account.name}>
                  {texts.account(account.name)}
                </span>
              )}
            </p>
          )}
        </div>
        <span className={styles.provider}>{providerName(provider)}</span>
        <span className={styles.state}>{texts[status]}</span>
        {traffic !== undefined && <InstanceFigures traffic={traffic} />}
        {isAdmin && (
          <Menu trigger={<IconButton icon="more" label={texts.more(instanceName)} isBusy={makeDefault.isBusy} />}>
            <MenuItem onChoose={() => setAsked('edit')}>{texts.edit}</MenuItem>
            {!isDefault && <MenuItem onChoose={() => void makeDefault.start()}>{texts.makeDefault}</MenuItem>}
            {isConnected(status) && <MenuItem onChoose={() => setAsked('disconnect')}>{texts.disconnect}</MenuItem>}
            <MenuItem isDanger onChoose={() => setAsked('delete')}>
              {texts.delete}
            </MenuItem>
          </Menu>
        )}
      </header>
      <Troubles instance={instance} isOpen={isOpen} waiting={waiting} hasActs={canConnect || canTry}>
        {canConnect && (
          <Button kind="line" onClick={() => setIsConnecting(true)}>
            {texts.connect}
            <span className="visually-hidden"> {instanceName}</span>
          </Button>
        )}
        {canTry && <TryNow instance={instance} kind="line" />}
        {canTry && !isOpen && (
          <Button kind="quiet" onClick={onToggle}>
            {texts.showWaiting(waiting, formats.number(waiting))}
          </Button>
        )}
      </Troubles>
      {isConnecting && <ConnectPanel instance={instance} onState={onState} onClose={() => setIsConnecting(false)} />}
      {isOpen && <InstanceDetails instance={instance} isAdmin={isAdmin} edits={edits} />}
      {asked === 'edit' && (
        <InstanceForm
          instance={instance}
          onClose={close}
          onSaved={() => {
            setEdits(edits + 1);
            onChanged();
          }}
        />
      )}
      {asked === 'disconnect' && (
        <ConfirmDialog
          title={texts.disconnectTitle(instanceName)}
          text={texts.disconnectText}
          confirmLabel={texts.disconnect}
          onConfirm={async () => onState((await ask(DisconnectInstanceDocument, { id })).disconnectChatInstance)}
          onClose={close}
        />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={texts.deleteTitle(instanceName)}
          text={texts.deleteText}
          confirmLabel={texts.delete}
          onConfirm={async () => {
            await ask(DeleteInstanceDocument, { id });
            onChanged();
          }}
          onClose={close}
        />
      )}
    </li>
  );
}

interface TroublesProps {
  instance: InstanceCardFragment;
  isOpen: boolean;
  waiting: number;
  hasActs: boolean;
  /** Buttons that help. */
  children: ReactNode;
}

/** Shows the obstacles to sending, the number of waiting messages, and what to do. */
function Troubles({ instance, isOpen, waiting, hasActs, children }: TroublesProps) {
  const texts = useTexts(instancesTexts);
  const scan = useTexts(scanTexts);
  const gateway = useTexts(gatewayTexts);
  const formats = useFormats();
  const { status, lastError, healthCode, healthReason, degradedAt, pausedUntil, pauseReason } = instance;
  const [now, setNow] = useState(Date.now);
  const leftMs = pausedUntil === null ? 0 : Date.parse(pausedUntil) - now;
  const isPaused = leftMs > 0;
  useEffect(() => {
    if (!isPaused) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isPaused]);
  useEffect(() => setNow(Date.now()), [pausedUntil]);
  const isDegraded = healthReason !== null && degradedAt !== null;
  const isSilent = !isDegraded && !isPaused && !isOpen;
  if (isSilent && isConnected(status)) return null;
  // While it is being connected, the code stands in place of its button.
  if (isSilent && lastError === null && waiting === 0 && !hasActs) return null;
  return (
    <div className={styles.troubles}>
      <div>
        {!isConnected(status) && lastError !== null && (
          <p className={styles.problem}>
            {gateway[adviceOnGateway(lastError)]} <small dir="auto">{lastError}</small>
          </p>
        )}
        {status === 'CONNECTING' && lastError === null && <p className={styles.hint}>{scan.notYet}</p>}
        {isDegraded && (
          <p className={styles.pause}>
            {texts.degraded(formats.full(degradedAt))} {healthCode !== null && gateway[healthCode]}{' '}
            <small dir="auto">{healthReason}</small>
          </p>
        )}
        {pausedUntil !== null && isPaused && (
          <p className={styles.pause}>
            {texts.paused(formats.full(pausedUntil), formats.span(leftMs))} <small dir="auto">{pauseReason}</small>
          </p>
        )}
        {(waiting > 0 || isOpen) && <p>{texts.waiting(waiting, formats.number(waiting))}</p>}
      </div>
      {children}
    </div>
  );
}
