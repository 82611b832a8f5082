// Records a voice note with the microphone, without anything of the page around it.

/** The largest recording in bytes. A sound that is sent may have 16 MiB, and the container adds a little. */
const maxBytes = 15 * 1024 * 1024;
const sliceMs = 1_000;
const levelEveryMs = 100;
/** Speech is clear at this rate, and an hour of it fits. */
const bitsPerSecond = 32_000;

/** The recordings that browsers make, the best first: Chromium makes WebM, Firefox Ogg, Safari MP4. */
const recordedTypes = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4'] as const;

export interface Recorded {
  blob: Blob;
  seconds: number;
}

export interface RecorderEvents {
  /** @param level how loud it is now, from 0 to 1 */
  onLevel: (level: number, seconds: number) => void;
  /** The recording is as long as it may be, or the microphone went away. */
  onEnd: () => void;
}

export interface RunningRecorder {
  /** The type of the recording, without its codec. */
  type: string;
  /** Ends the recording and returns it; undefined where nothing was recorded. Safe to repeat. */
  stop: () => Promise<Recorded | undefined>;
}

export type MicrophoneProblem = 'refused' | 'missing' | 'busy' | 'unsupported';

export class MicrophoneError extends Error {
  constructor(readonly problem: MicrophoneProblem) {
    super(`the microphone is ${problem}`);
  }
}

/** Asks for the microphone and starts. @throws MicrophoneError */
export async function startRecorder(events: RecorderEvents): Promise<RunningRecorder> {
  // Old browsers have no recorder, and a page without TLS has no devices.
  const canRecord = 'MediaRecorder' in globalThis && 'mediaDevices' in navigator;
  const type = canRecord ? recordedTypes.find((one) => MediaRecorder.isTypeSupported(one)) : undefined;
  if (type === undefined) throw new MicrophoneError('unsupported');
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch((error: unknown) => {
    throw new MicrophoneError(problemOf(error));
  });
  const recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: bitsPerSecond });
  const meter = meterOf(stream);
  const startedAt = performance.now();
  const secondsNow = () => (performance.now() - startedAt) / 1_000;
  const parts: Blob[] = [];
  let size = 0;
  let seconds: number | undefined;
  const timer = setInterval(() => events.onLevel(meter.read(), secondsNow()), levelEveryMs);
  const ended = new Promise<void>((resolve) => {
    recorder.addEventListener('stop', () => {
      clearInterval(timer);
      meter.close();
      for (const track of stream.getTracks()) track.stop();
      resolve();
    });
  });
  recorder.addEventListener('dataavailable', ({ data }) => {
    parts.push(data);
    size += data.size;
    if (size >= maxBytes) events.onEnd();
  });
  stream.getAudioTracks()[0]?.addEventListener('ended', events.onEnd);
  recorder.start(sliceMs);
  const plainType = type.split(';')[0] ?? type;
  return {
    type: plainType,
    async stop() {
      seconds ??= secondsNow();
      if (recorder.state !== 'inactive') recorder.stop();
      await ended;
      const blob = new Blob(parts, { type: plainType });
      return blob.size === 0 ? undefined : { blob, seconds };
    },
  };
}

function problemOf(error: unknown): MicrophoneProblem {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing';
  if (name === 'NotSupportedError') return 'unsupported';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'refused';
}

/** Measures how loud the microphone is. */
function meterOf(stream: MediaStream): { read: () => number; close: () => void } {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 1_024;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    read() {
      analyser.getFloatTimeDomainData(samples);
      const mean = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      // Speech is far below the loudest sound, so the middle is spread.
      return Math.min(1, Math.sqrt(mean) * 4);
    },
    close: () => void context.close().catch(() => undefined),
  };
}
