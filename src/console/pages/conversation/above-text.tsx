// The parts of the composer above the text: what keeps the message from leaving, the quoted message, and the files.

import { useStore } from '../../app/store.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import type { Draft } from '../../live/drafts.js';
import { IconButton } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { composerTexts } from './composer-texts.js';
import styles from './composer.module.css';
import { FileFace } from './file-face.js';
import { LineTrouble } from './line-trouble.js';
import { sounds, uploads } from './uploads.js';
import { voiceTexts } from './voice-texts.js';
import { excessOf, type SendingInstance } from './use-sending-instance.js';

/** Nobody has written from this number, and no country gives it out. A number that somebody wrote from works, whatever its plan says. */
export const isDoubtful = ({
  numberValidity,
  lastInboundAt,
}: Pick<ConversationLead, 'numberValidity' | 'lastInboundAt'>) =>
  numberValidity === 'INVALID' && lastInboundAt === null;

/** Has the element's id, so that a screen reader says it with the text field. */
export const invalidNumberId = 'invalid-number';

interface AboveTextProps {
  lead: Pick<ConversationLead, 'id' | 'numberValidity' | 'lastInboundAt'>;
  sending: SendingInstance;
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
}

export function AboveText({ lead, sending, draft, onChange }: AboveTextProps) {
  return (
    <>
      {isDoubtful(lead) && <InvalidNumber />}
      <LineTrouble
        sending={sending}
        isQuote={draft.quote !== undefined}
        onChoose={(instanceId) => onChange(sending.choice(instanceId))}
      />
      <DraftQuote draft={draft} onRemove={() => onChange({ quote: undefined })} />
      <DraftFiles leadId={lead.id} draft={draft} onChange={onChange} />
      <TooLong excess={excessOf(draft.text, sending)} />
    </>
  );
}

function InvalidNumber() {
  const texts = useTexts(composerTexts);
  return (
    <div role="note" className={styles.lineTrouble}>
      <Icon name="warning" />
      <p id={invalidNumberId}>
        <strong>{texts.invalidNumber}</strong> {texts.invalidNumberHint}
      </p>
    </div>
  );
}

function TooLong({ excess }: { excess: number }) {
  const texts = useTexts(composerTexts);
  const formats = useFormats();
  if (excess === 0) return null;
  return (
    <div role="alert" className={styles.lineTrouble}>
      <Icon name="warning" />
      <p>{texts.tooLong(formats.number(excess))}</p>
    </div>
  );
}

function DraftQuote({ draft: { quote }, onRemove }: { draft: Draft; onRemove: () => void }) {
  const texts = useTexts(composerTexts);
  if (quote === undefined) return null;
  return (
    <div className={styles.quote}>
      <Icon name="reply" />
      <p>
        <strong>{texts.replyingTo(quote.author)}</strong>
        <span dir="auto">{quote.text}</span>
      </p>
      <IconButton icon="close" label={texts.cancelQuote} onClick={onRemove} />
    </div>
  );
}

function DraftFiles({
  leadId,
  draft: { files },
  onChange,
}: {
  leadId: string;
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
}) {
  const texts = useTexts(composerTexts);
  const formats = useFormats();
  const underWay = useStore(uploads).filter((one) => one.leadId === leadId);
  if (files.length === 0 && underWay.length === 0) return null;
  return (
    <ul className={styles.files}>
      {files.map(({ id, name, size }) => (
        <li key={id}>
          <Heard id={id} name={name} />
          <span dir="auto">{name}</span>
          <small>{formats.bytes(size)}</small>
          <IconButton
            icon="close"
            label={texts.removeFile(name)}
            onClick={() => onChange({ files: files.filter((file) => file.id !== id) })}
          />
        </li>
      ))}
      {underWay.map(({ id, name, share, cancel }) => (
        <li key={id}>
          <Icon name="upload" />
          <span dir="auto">{name}</span>
          <progress aria-label={texts.uploading(name)} max={1} value={share} />
          <IconButton icon="close" label={texts.cancelUpload(name)} onClick={cancel} />
        </li>
      ))}
    </ul>
  );
}

/** A sound of this page can be heard before it is sent. */
function Heard({ id, name }: { id: string; name: string }) {
  const texts = useTexts(voiceTexts);
  const url = useStore(sounds).get(id);
  if (url === undefined) return <FileFace id={id} />;
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- what somebody has just recorded has no captions
  return <audio src={url} controls preload="metadata" aria-label={texts.listen(name)} />;
}
