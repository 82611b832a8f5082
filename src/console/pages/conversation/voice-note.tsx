// A voice note while it is recorded: its time, how loud it is, and the ends that it may have. It becomes a file of its own draft.

import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../i18n/language.js';
import { useFormats } from '../../i18n/format.js';
import { Button, IconButton } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { notify, warn } from '../../parts/notices.js';
import styles from './composer.module.css';
import { uploadFiles } from './uploads.js';
import { MicrophoneError, startRecorder, type Recorded, type RunningRecorder } from './voice-recorder.js';
import { voiceTexts } from './voice-texts.js';

interface VoiceNoteProps {
  leadId: string;
  onEnd: () => void;
}

type State = { step: 'asking' | 'finishing' } | { step: 'recording'; level: number; seconds: number };

const shownMs = 12_000;

/** Records from when it is shown. What was recorded is kept when another conversation is opened, and dropped only by its button. */
export function VoiceNote({ leadId, onEnd }: VoiceNoteProps) {
  const texts = useTexts(voiceTexts);
  const formats = useFormats();
  const [state, setState] = useState<State>({ step: 'asking' });
  const stopButton = useRef<HTMLButtonElement>(null);
  const recorder = useRef<RunningRecorder>(undefined);
  const isOver = useRef(false);

  const finish = async (notice?: string) => {
    if (isOver.current) return;
    isOver.current = true;
    setState({ step: 'finishing' });
    const name = `${texts.name} ${formats.time(new Date().toISOString())}`.replaceAll(/[:/\\]/g, '.');
    try {
      const recorded = await recorder.current?.stop();
      if (notice !== undefined) notify(notice);
      if (recorded === undefined) notify(texts.nothing);
      else uploadFiles(leadId, [await fileOf(recorded, name)]);
    } catch {
      warn(texts.failed, { forMs: shownMs });
    }
    onEnd();
  };
  const drop = () => {
    isOver.current = true;
    void recorder.current?.stop();
    onEnd();
  };

  useEffect(() => {
    let isLeft = false;
    const isCurrent = () => !isLeft && !isOver.current;
    const onLevel = (level: number, seconds: number) => isCurrent() && setState({ step: 'recording', level, seconds });
    const begin = async () => {
      try {
        const started = await startRecorder({ onLevel, onEnd: () => void finish(texts.longest) });
        if (!isCurrent()) await started.stop();
        else recorder.current = started;
        // It is there when the recording ends, also if the network is gone by then.
        if (started.type === webm) void loadContainer().catch(() => undefined);
      } catch (error) {
        if (!isCurrent()) return;
        warn(texts[error instanceof MicrophoneError ? error.problem : 'refused'], { forMs: shownMs });
        drop();
      }
    };
    void begin();
    return () => {
      isLeft = true;
      if (recorder.current !== undefined) void finish();
    };
  }, []);
  const isRecording = state.step === 'recording';
  useEffect(() => {
    if (isRecording) stopButton.current?.focus();
  }, [isRecording]);

  return (
    <div className={styles.voiceNote} role="group" aria-label={texts.recording}>
      <Icon name="mic" />
      {state.step === 'recording' ? (
        <>
          <time role="timer">{shownTime(state.seconds)}</time>
          <meter min={0} max={1} value={state.level} aria-label={texts.level} />
        </>
      ) : (
        <p role="status">{state.step === 'asking' ? texts.asking : texts.finishing}</p>
      )}
      {state.step !== 'finishing' && <IconButton icon="trash" label={texts.cancel} onClick={drop} />}
      {isRecording && (
        <Button ref={stopButton} kind="line" title={texts.stopHint} onClick={() => void finish()}>
          {texts.stop}
        </Button>
      )}
    </div>
  );
}

const webm = 'audio/webm';
const loadContainer = () => import('./voice-file.js');

/** Makes a file that networks take. */
async function fileOf({ blob }: Recorded, name: string): Promise<File> {
  if (blob.type === 'audio/mp4') return new File([blob], `${name}.m4a`, { type: 'audio/mp4' });
  const ogg = blob.type === webm ? await (await loadContainer()).toOgg(blob) : blob;
  return new File([ogg], `${name}.ogg`, { type: 'audio/ogg' });
}

/** 1:07. */
function shownTime(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
