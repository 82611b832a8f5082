// A recording of the lead, with the browser's own controls and the pace beside them.

import { useRef, useState } from 'react';
import { useTexts } from '../../i18n/language.js';
import { useFormats } from '../../i18n/format.js';
import { Button } from '../../parts/button.js';
import styles from './message.module.css';
import { mediaTexts } from './media-texts.js';

const paces = [1, 1.5, 2];

export function VoicePlayer({ url, name, onError }: { url: string; name: string; onError: () => void }) {
  const texts = useTexts(mediaTexts);
  const formats = useFormats();
  const player = useRef<HTMLAudioElement>(null);
  const [pace, setPace] = useState(paces[0]!);
  const next = paces[(paces.indexOf(pace) + 1) % paces.length]!;
  const change = () => {
    setPace(next);
    if (player.current !== null) player.current.playbackRate = next;
  };
  return (
    <div className={styles.voice}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- files of leads have no captions */}
      <audio
        ref={player}
        data-file
        src={url}
        controls
        preload="metadata"
        aria-label={name}
        onError={onError}
        // A new address starts at the pace of one.
        onLoadedMetadata={({ currentTarget }) => (currentTarget.playbackRate = pace)}
      />
      <Button kind="quiet" aria-label={texts.pace(formats.number(pace))} onClick={change}>
        {formats.number(pace)}×
      </Button>
    </div>
  );
}
