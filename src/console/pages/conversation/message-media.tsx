// A message's file. Browsers show the kinds that they can display, other files are saved, and a missing file is described in words.

import { useState } from 'react';
import { askAgain } from '../../api/client.js';
import { useStore } from '../../app/store.js';
import type { ChatMessage, ConversationStore } from '../../live/conversation-store.js';
import { connection } from '../../live/feed.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { notifyFailure } from '../../parts/notices.js';
import styles from './message.module.css';
import { FetchMediaDocument } from './operations.js';
import { PictureDialog } from './picture-dialog.js';
import { mediaTexts } from './media-texts.js';
import { useFileAddress } from './use-file-address.js';
import { VoicePlayer } from './voice-player.js';
import { mediaKindOf } from './words.js';

type Media = NonNullable<ChatMessage['media']>;

interface MediaProps {
  message: ChatMessage;
  media: Media;
  store: ConversationStore;
}

export function MessageMedia({ message, media, store }: MediaProps) {
  const texts = useTexts(mediaTexts);
  const kind = mediaKindOf(media.mimeType, message.type);
  const name = media.fileName ?? texts[kind];
  if (media.state === 'STORED' && media.url !== null)
    return <StoredMedia message={message} media={media} store={store} name={name} url={media.url} />;
  return <MissingMedia message={message} media={media} store={store} name={name} />;
}

function MissingMedia({ message, media, store, name }: MediaProps & { name: string }) {
  const texts = useTexts(mediaTexts);
  const [isBusy, setBusy] = useState(false);
  // A kept message has no file, and without a connection nobody fetches it.
  const comesLater = useStore(connection) === 'offline' && media.state === 'PENDING';
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
        <p>{comesLater ? texts.comesLater : texts[media.state]}</p>
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
  const texts = useTexts(mediaTexts);
  const formats = useFormats();
  const [isLarge, setLarge] = useState(false);
  const { onError, onFollow } = useFileAddress(message.id, url, store);
  const kind = mediaKindOf(media.mimeType, message.type);
  if (kind === 'image')
    return (
      <>
        <button
          type="button"
          data-file
          className={styles.image}
          onClick={() => setLarge(true)}
          aria-label={texts.openImage(name)}
        >
          <img src={url} alt="" loading="lazy" onError={onError} />
        </button>
        {isLarge && <PictureDialog messageId={message.id} store={store} onClose={() => setLarge(false)} />}
      </>
    );
  if (kind === 'audio') return <VoicePlayer url={url} name={name} onError={onError} />;
  if (kind === 'video')
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- files of leads have no captions
      <video
        data-file
        className={styles.video}
        src={url}
        controls
        preload="metadata"
        aria-label={name}
        onError={onError}
      />
    );
  return (
    <a
      data-file
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
