// An endpoint: its reachability and its actions.

import { useState } from 'react';
import { ask } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Badge } from '../../parts/badge.js';
import { Button, IconButton } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { Menu, MenuItem } from '../../parts/menu.js';
import { notify } from '../../parts/notices.js';
import { EndpointDeliveries } from './endpoint-deliveries.js';
import { nameOfEvent } from './event-types.js';
import {
  DeleteWebhookEndpointDocument,
  PingWebhookEndpointDocument,
  RotateWebhookEndpointSecretDocument,
  UpdateWebhookEndpointDocument,
  type EndpointRowFragment,
} from './operations.js';
import styles from './settings.module.css';
import { webhooksTexts } from './webhooks-texts.js';

const overlapSeconds = 86_400;

interface EndpointCardProps {
  endpoint: EndpointRowFragment;
  isOpen: boolean;
  onToggle: () => void;
  onEdit: () => void;
  onChanged: (endpoint: EndpointRowFragment, secret?: string) => void;
  onDeleted: () => void;
}

export function EndpointCard({ endpoint, isOpen, onToggle, onEdit, onChanged, onDeleted }: EndpointCardProps) {
  const texts = useTexts(webhooksTexts);
  const [asked, setAsked] = useState<'rotate' | 'delete'>();
  const [pings, setPings] = useState(0);
  const { id, url, description, isEnabled, eventTypes, version } = endpoint;
  const enable = useAction(async () => {
    const input = { isEnabled: !isEnabled, expectedVersion: version };
    onChanged((await ask(UpdateWebhookEndpointDocument, { id, input })).updateWebhookEndpoint);
  });
  const showDeliveries = () => {
    setPings(pings + 1);
    if (!isOpen) onToggle();
  };
  const ping = useAction(
    async () => {
      await ask(PingWebhookEndpointDocument, { id });
      notify(texts.pinged);
    },
    { onDone: showDeliveries },
  );
  const rotate = async () => {
    const answer = await ask(RotateWebhookEndpointSecretDocument, { id, graceSeconds: overlapSeconds });
    const { endpoint: changed, secret } = answer.rotateWebhookEndpointSecret;
    onChanged(changed, secret);
  };
  return (
    <li className={styles.card}>
      <div className={styles.cardHead}>
        <div className={styles.cardName}>
          <h2>{url}</h2>
          {description !== null && <p dir="auto">{description}</p>}
        </div>
        <Badge kind={isEnabled ? 'good' : 'warning'}>{isEnabled ? texts.enabled : texts.disabled}</Badge>
        <div className={styles.buttons}>
          {isEnabled && (
            <Button isBusy={ping.isBusy} onClick={() => void ping.start()}>
              {texts.ping}
            </Button>
          )}
          <Menu trigger={<IconButton icon="more" label={texts.more(url)} isBusy={enable.isBusy} />}>
            <MenuItem onChoose={onEdit}>{texts.edit}</MenuItem>
            <MenuItem onChoose={() => void enable.start()}>{isEnabled ? texts.disable : texts.enable}</MenuItem>
            <MenuItem onChoose={() => setAsked('rotate')}>{texts.rotate}</MenuItem>
            <MenuItem isDanger onChoose={() => setAsked('delete')}>
              {texts.delete}
            </MenuItem>
          </Menu>
        </div>
      </div>
      <State endpoint={endpoint} />
      <p className={styles.hint} title={eventTypes.map(nameOfEvent).join(', ')}>
        {texts.events(eventTypes.length)}: {eventTypes.slice(0, 4).map(nameOfEvent).join(', ')}
        {eventTypes.length > 4 && '…'}
      </p>
      <div>
        <Button isFlush kind="quiet" icon={isOpen ? 'down' : 'next'} aria-expanded={isOpen} onClick={onToggle}>
          {isOpen ? texts.hideDeliveries : texts.deliveries}
        </Button>
      </div>
      {isOpen && <EndpointDeliveries key={pings} endpointId={id} isEnabled={isEnabled} />}
      {asked === 'rotate' && (
        <ConfirmDialog
          title={texts.rotateTitle}
          text={texts.rotateText}
          confirmLabel={texts.rotate}
          onConfirm={rotate}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={texts.deleteTitle}
          text={texts.deleteText}
          confirmLabel={texts.delete}
          onConfirm={async () => {
            await ask(DeleteWebhookEndpointDocument, { id });
            onDeleted();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </li>
  );
}

function State({ endpoint }: { endpoint: EndpointRowFragment }) {
  const texts = useTexts(webhooksTexts);
  const formats = useFormats();
  const { disabledAt, disabledReason, failingSince, previousSecretUntil } = endpoint;
  const [now] = useState(Date.now);
  const isOverlap = previousSecretUntil !== null && Date.parse(previousSecretUntil) > now;
  return (
    <>
      {disabledReason !== null && disabledAt !== null && (
        <p className={styles.warning}>
          {texts[disabledReason]} {texts.since(formats.full(disabledAt))}
        </p>
      )}
      {failingSince !== null && <p className={styles.problem}>{texts.failing(formats.full(failingSince))}</p>}
      {isOverlap && <p className={styles.hint}>{texts.overlap(formats.full(previousSecretUntil))}</p>}
    </>
  );
}
