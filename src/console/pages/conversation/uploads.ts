// The file uploads of each conversation. They continue while another conversation is open, and end in their own draft.

import { upload } from '../../api/rest.js';
import { accessToken, onUserChange } from '../../app/session.js';
import { Store } from '../../app/store.js';
import { onMerge } from '../../live/feed.js';
import { drafts } from '../../live/outgoing.js';
import { textsNow } from '../../i18n/language.js';
import { notify, notifyFailure } from '../../parts/notices.js';
import { composerTexts } from './composer-texts.js';

export interface UploadUnderWay {
  id: number;
  leadId: string;
  name: string;
  /** The uploaded share, from 0 to 1. */
  share: number;
  cancel: () => void;
}

interface Uploaded {
  id: string;
  mimeType: string;
  size: number;
}

/** The server allows 4 concurrent uploads for each user. */
const maxAtOnce = 3;
const maxFilesAtOnce = 20;

export const uploads = new Store<readonly UploadUnderWay[]>([]);
/** Addresses of the newest pictures, as the browser has them, by the upload's id: they are shown before they are sent. */
export const pictures = new Store<ReadonlyMap<string, string>>(new Map());
/** Addresses of the newest sounds in the same way: they are heard before they are sent. */
export const sounds = new Store<ReadonlyMap<string, string>>(new Map());
const maxShown = 50;

/** The upload of each file. Files stand and leave in the order in which they were chosen, however soon each was uploaded. */
const uploadOf = new Map<string, number>();

let lastId = 0;
let running = 0;
const waiting: (() => Promise<void>)[] = [];

/** Begins to upload the first 20 files; a notice names the number of the others. */
export function uploadFiles(leadId: string, files: readonly File[]): void {
  const leftOut = files.length - maxFilesAtOnce;
  if (leftOut > 0) notify(textsNow(composerTexts).tooManyFiles(maxFilesAtOnce, leftOut));
  for (const file of files.slice(0, maxFilesAtOnce)) {
    const controller = new AbortController();
    const id = (lastId += 1);
    const remove = () => uploads.update((all) => all.filter((one) => one.id !== id));
    const cancel = () => {
      controller.abort();
      remove();
    };
    uploads.update((all) => [...all, { id, leadId, name: file.name, share: 0, cancel }]);
    waiting.push(async () => {
      try {
        if (!controller.signal.aborted) await run(id, file, controller.signal);
      } catch (error) {
        if (!controller.signal.aborted) notifyFailure(error);
      }
      remove();
    });
  }
  next();
}

async function run(id: number, file: File, signal: AbortSignal): Promise<void> {
  const body = new FormData();
  body.append('file', file, file.name);
  const onProgress = (share: number) =>
    uploads.update((all) => all.map((one) => (one.id === id ? { ...one, share } : one)));
  const uploaded = await upload<Uploaded>({
    path: '/media',
    body,
    accessToken: await accessToken(),
    onProgress,
    signal,
  });
  // The lead may have been merged meanwhile.
  const { leadId } = uploads.value.find((one) => one.id === id)!;
  const draft = drafts.get(leadId);
  const { mimeType, size } = uploaded;
  if (mimeType.startsWith('image/')) show(pictures, uploaded.id, file);
  if (mimeType.startsWith('audio/')) show(sounds, uploaded.id, file);
  const added = { id: uploaded.id, name: file.name, size, mimeType, uploadedAt: Date.now() };
  uploadOf.set(added.id, id);
  const place = draft.files.findIndex((other) => (uploadOf.get(other.id) ?? 0) > id);
  drafts.set(leadId, { ...draft, files: draft.files.toSpliced(place === -1 ? draft.files.length : place, 0, added) });
}

function show(store: typeof pictures, id: string, file: File): void {
  const shown = [...store.value, [id, URL.createObjectURL(file)] as const];
  for (const [, url] of shown.splice(0, shown.length - maxShown)) URL.revokeObjectURL(url);
  store.set(new Map(shown));
}

function next(): void {
  while (running < maxAtOnce) {
    const start = waiting.shift();
    if (start === undefined) return;
    running += 1;
    void start().finally(() => {
      running -= 1;
      next();
    });
  }
}

onMerge((fromId, toId) =>
  uploads.update((all) => all.map((one) => (one.leadId === fromId ? { ...one, leadId: toId } : one))),
);
onUserChange(() => {
  for (const { cancel } of uploads.value) cancel();
  uploadOf.clear();
  for (const store of [pictures, sounds]) {
    for (const url of store.value.values()) URL.revokeObjectURL(url);
    store.set(new Map());
  }
});
