// A picture in full size. The arrow keys and the buttons lead through the pictures of the conversation, Escape back to the message.

import { useEffect, useState } from 'react';
import { useStore } from '../../app/store.js';
import { useTexts } from '../../i18n/language.js';
import type { ChatMessage, ConversationStore } from '../../live/conversation-store.js';
import { IconButton } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import styles from './picture-dialog.module.css';
import { mediaTexts } from './media-texts.js';
import { useFileAddress } from './use-file-address.js';
import { mediaKindOf } from './words.js';

interface PictureDialogProps {
  /** The message whose picture is shown first. */
  messageId: string;
  store: ConversationStore;
  onClose: () => void;
}

interface Picture {
  id: string;
  url: string;
  name: string | null;
  caption: string | null;
}

export function PictureDialog({ messageId, store, onClose }: PictureDialogProps) {
  const texts = useTexts(mediaTexts);
  const pictures = useStore(store.state).messages.flatMap(pictureOf);
  const [shownId, setShownId] = useState(messageId);
  const place = pictures.findIndex(({ id }) => id === shownId);
  const picture = pictures[place];
  const go = (by: -1 | 1) => setShownId(pictures[place + by]?.id ?? shownId);
  // The keys count wherever the focus is. The library keeps arrow keys within its popup, so they are taken on their way there.
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'ArrowLeft') go(-1);
      if (key === 'ArrowRight') go(1);
    };
    addEventListener('keydown', onKeyDown, true);
    return () => removeEventListener('keydown', onKeyDown, true);
  });
  if (picture === undefined) return null;
  const name = picture.name ?? texts.image;
  return (
    <Dialog isOpen isWide onClose={onClose} title={name}>
      <div className={styles.picture}>
        <LargePicture key={picture.id} picture={picture} name={name} store={store} />
        {pictures.length > 1 && (
          <div className={styles.steps}>
            <IconButton icon="back" label={texts.previousPicture} disabled={place === 0} onClick={() => go(-1)} />
            <span>{texts.pictureOf(place + 1, pictures.length)}</span>
            <IconButton
              icon="next"
              label={texts.nextPicture}
              disabled={place === pictures.length - 1}
              onClick={() => go(1)}
            />
          </div>
        )}
      </div>
    </Dialog>
  );
}

function LargePicture({ picture, name, store }: { picture: Picture; name: string; store: ConversationStore }) {
  const texts = useTexts(mediaTexts);
  const { id, url, caption } = picture;
  const { onError, onFollow } = useFileAddress(id, url, store);
  return (
    <>
      <img src={url} alt={caption ?? name} onError={onError} />
      <a href={url} download={name} onClick={onFollow}>
        {texts.download(name)}
      </a>
    </>
  );
}

function pictureOf({ id, type, media, deletedAt }: ChatMessage): Picture[] {
  if (media?.url == null || media.state !== 'STORED' || deletedAt !== null) return [];
  if (mediaKindOf(media.mimeType, type) !== 'image') return [];
  return [{ id, url: media.url, name: media.fileName, caption: media.caption }];
}
