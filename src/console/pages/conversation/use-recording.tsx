// The recording of a voice note for one conversation at a time, and its place in the composer.

import { lazy, Suspense, useState, type ReactNode, type RefObject } from 'react';
import { useCommands } from '../../app/commands.js';
import { useTexts } from '../../i18n/language.js';
import { conversationTexts } from './texts.js';
import { voiceTexts } from './voice-texts.js';

// The recorder is loaded when somebody records for the first time.
const VoiceNote = lazy(async () => {
  const { VoiceNote: component } = await import('./voice-note.js');
  return { default: component };
});

export interface Recording {
  /** Undefined while it records, and where no voice note can be sent. */
  start: (() => void) | undefined;
  /** The voice note under way. */
  shown: ReactNode;
}

export function useRecording(
  leadId: string,
  field: RefObject<HTMLTextAreaElement | null>,
  { isWindowClosed }: { isWindowClosed: boolean },
): Recording {
  const texts = useTexts(voiceTexts);
  const group = useTexts(conversationTexts).conversation;
  // A recording that goes on does not move to the conversation that is opened next.
  const [recordingFor, setRecordingFor] = useState<string>();
  const isRecording = recordingFor === leadId;
  const start = isRecording || isWindowClosed ? undefined : () => setRecordingFor(leadId);
  useCommands(start === undefined ? [] : [{ id: 'voice', title: texts.record, group, run: start }]);
  const end = () => {
    // The next letter belongs to the text, unless the operator works elsewhere by now.
    const { activeElement, body } = document;
    if (activeElement === body || field.current?.parentElement?.contains(activeElement)) field.current?.focus();
    setRecordingFor((now) => (now === leadId ? undefined : now));
  };
  const shown = isRecording && (
    <Suspense>
      <VoiceNote leadId={leadId} onEnd={end} />
    </Suspense>
  );
  return { start, shown };
}
