// A message's file. Browsers show the kinds that they can display, other files are saved, and a missing file is described in words.

import { useEffect, useRef, useState } from 'react';
import { askAgain } from '../../api/client.js';
import type { ChatMessage, ConversationStore } from '../../live/conversation-store.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Icon } from '../../parts/icon.js';
import { notifyFailure } from '../../parts/notices.js';
import styles from './message.module.css';
import { FetchMediaDocument, MediaUrlDocument } from './operations.js';
import { conversationTexts } from './texts.js';
import { mediaKindOf } from './words.js';

type Media = NonNullable<ChatMessage['media']>;

interface MediaProps {
  message: ChatMessage;
  media: Media;
  store: ConversationStore;
}

/** A file's address is valid for one hour. Up to this age it is opened without a new reading. */
const freshMs = 50 * 60_000;
const maxReads = 3;

export function MessageMedia({ message, media, store }: MediaProps) {
  const texts = useTexts(conversationTexts);
  const kind = mediaKindOf(media.mimeType, message.type);
  const name = media.fileName ?? texts[kind];
  if (media.state === 'STORED' && media.url !== null)
    return <StoredMedia message={message} media={media} store={store} name={name} url={media.url} />;
  return <MissingMedia message={message} media={media} store={store} name={name} />;
}

function MissingMedia({ message, media, store, name }: MediaProps & { name: string }) {
  const texts = useTexts(conversationTexts);
  const [isBusy, setBusy] = useState(false);
  if (media.state === 'STORED') return null;
  const fetchAgain = async () => {
    setBusy(true);
    try {
      const { fetchMedia } = await askAgain(FetchMediaDocument, { messageId: message.id });
      if (fetchMedia.media !== null) store.changeMedia(message.id, fetchMedia.media);
    } catch (error) {
      notifyFailure(error);
    }
    setBusy(false);
  };
  return (
    <div className={styles.missing} data-state={media.state}>
      <Icon name={media.state === 'PENDING' ? 'clock' : 'warning'} />
      <div>
        <strong dir="auto">{name}</strong>
        <p>{texts[media.state]}</p>
        {media.error !== null && media.state === 'FAILED' && <p>{media.error}</p>}
      </div>
      {media.state === 'FAILED' && (
        <Button isBusy={isBusy} onClick={() => void fetchAgain()}>
          {texts.fetchAgain}
        </Button>
      )}
    </div>
  );
}

function StoredMedia({ message, media, store, name, url }: MediaProps & { name: string; url: string }) {
  const texts = useTexts(conversationTexts);
  const formats = useFormats();
  const [isLarge, setLarge] = useState(false);
  const reads = useRef(0);
  const readAt = useRef(0);
  useEffect(() => {
    readAt.current = Date.now();
  }, [url]);

  const readUrl = async (): Promise<string | undefined> => {
    const { message: current } = await askAgain(MediaUrlDocument, { id: message.id });
    if (current?.media != null) store.changeMedia(message.id, current.media);
    return current?.media?.url ?? undefined;
  };
  // An expired address answers 403, so it is read again.
  const onError = () => {
    if (reads.current < maxReads) readUrl().catch(() => undefined);
    reads.current += 1;
  };
  const onFollow = (event: { preventDefault(): void }) => {
    if (Date.now() - readAt.current < freshMs) return;
    event.preventDefault();
    readUrl()
      .then((fresh) => fresh !== undefined && window.open(fresh, '_blank', 'noopener'))
      .catch(notifyFailure);
  };

  const kind = mediaKindOf(media.mimeType, message.type);
  if (kind === 'image')
    return (
      <>
        <button
          type="button"
          className={styles.image}
          onClick={() => setLarge(true)}
          aria-label={texts.openImage(name)}
        >
          <img src={url} alt="" loading="lazy" onError={onError} />
        </button>
        {isLarge && (
          <Dialog isOpen onClose={() => setLarge(false)} title={name} isWide>
            <img className={styles.large} src={url} alt={media.caption ?? name} onError={onError} />
            <p>
              <a href={url} download={name} onClick={onFollow}>
                {texts.download(name)}
              </a>
            </p>
          </Dialog>
        )}
      </>
    );
  // Files of leads and users have no captions.
  if (kind === 'audio')
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    return <audio className={styles.audio} src={url} controls preload="metadata" aria-label={name} onError={onError} />;
  if (kind === 'video')
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    return <video className={styles.video} src={url} controls preload="metadata" aria-label={name} onError={onError} />;
  return (
    <a
      className={styles.file}
      href={url}
      target="_blank"
      rel="noreferrer"
      download={media.mimeType === 'application/pdf' ? undefined : name}
      onClick={onFollow}
    >
      <Icon name="file" size={24} />
      <span>
        <strong dir="auto">{name}</strong>
        <small>
          {[texts.document, media.size === null ? '' : formats.bytes(media.size)].filter(Boolean).join(' · ')}
        </small>
      </span>
    </a>
  );
}
