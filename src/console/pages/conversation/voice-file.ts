// Puts a recording into the container that networks play as a voice note. The sound itself stays as it was recorded.

import {
  BlobSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  Input,
  OggOutputFormat,
  Output,
  WEBM,
} from 'mediabunny';

/** @returns the Opus packets of a WebM recording as Ogg, with the duration that players show */
export async function toOgg(recording: Blob): Promise<Blob> {
  const input = new Input({ formats: [WEBM], source: new BlobSource(recording) });
  try {
    return await rewrite(input);
  } finally {
    input.dispose();
  }
}

async function rewrite(input: Input): Promise<Blob> {
  const track = await input.getPrimaryAudioTrack();
  const decoderConfig = await track?.getDecoderConfig();
  if (track == null || decoderConfig == null) throw new Error('the recording holds no sound');
  const target = new BufferTarget();
  const output = new Output({ format: new OggOutputFormat(), target });
  const source = new EncodedAudioPacketSource('opus');
  output.addAudioTrack(source);
  await output.start();
  for await (const packet of new EncodedPacketSink(track).packets()) await source.add(packet, { decoderConfig });
  await output.finalize();
  if (target.buffer === null) throw new Error('the recording could not be written');
  return new Blob([target.buffer], { type: 'audio/ogg' });
}
