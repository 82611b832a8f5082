// The stores of files: one set of cases for the folder and for S3, whose server checks signatures, lengths and hashes.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { FileStore } from '../../src/clients/object-store/file-store.js';
import { ObjectStoreError } from '../../src/clients/object-store/object-store-error.js';
import type { ObjectStore } from '../../src/clients/object-store/object-store.js';
import { S3Store } from '../../src/clients/object-store/s3-store.js';
import { FileTooLargeError, StagingFolder } from '../../src/clients/object-store/staging-folder.js';
import { S3Server, signatureV4 } from '../support/s3-server.js';

/** The credentials that the server knows. */
const credentials = { accessKeyId: 'test-key', secretAccessKey: 'a secret of the test server' };
const bucket = 'leadwire-test';
const region = 'sa-east-1';

export function describeObjectStores(): void {
  let folder: string;
  let server: S3Server;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leadwire-store-'));
    server = await S3Server.start({ bucket, region, ...credentials });
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  function createS3(differences: Partial<ConstructorParameters<typeof S3Store>[0]> = {}): S3Store {
    const staging = new StagingFolder(join(folder, 's3-incoming'));
    return new S3Store({
      endpoint: server.url,
      region,
      bucket,
      prefix: 'a/b/',
      staging,
      ...credentials,
      ...differences,
    });
  }

  async function* inChunks(bytes: Buffer, size = 60_000): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
  }

  const upTo = (maxBytes: number) => () => Promise.resolve({ maxBytes });

  describe.each<[string, () => ObjectStore]>([
    ['a folder', () => new FileStore(join(folder, 'files'))],
    ['S3', () => createS3()],
  ])('%s', (_name, create) => {
    let store: ObjectStore;
    beforeAll(async () => {
      store = create();
      await store.start();
    });

    const newKey = () => ({ tenantId: randomUUID(), objectId: randomUUID() });

    async function put(bytes: Buffer) {
      const key = newKey();
      await store.put(key, await store.staging.receive(inChunks(bytes), upTo(bytes.length)));
      return key;
    }

    const read = async (key: ReturnType<typeof newKey>, range?: { first: number; last: number }) => {
      const stream = await store.open(key, range);
      return stream === undefined ? undefined : buffer(stream);
    };

    test.each([1, 4_100, 70_000, 3_000_000])(
      'gives back %d bytes, and nothing is left in the staging folder',
      async (size) => {
        const bytes = randomBytes(size);
        expect((await read(await put(bytes)))?.equals(bytes)).toBe(true);
        expect(await readdir(store.staging.folder)).toEqual([]);
      },
    );

    test('gives a range', async () => {
      const bytes = randomBytes(200_000);
      const key = await put(bytes);
      expect((await read(key, { first: 0, last: 0 }))?.equals(bytes.subarray(0, 1))).toBe(true);
      expect((await read(key, { first: 100_000, last: 199_999 }))?.equals(bytes.subarray(100_000))).toBe(true);
    });

    test('deletes, also what is not there; another tenant’s object of the same id stays', async () => {
      const key = await put(randomBytes(10));
      await store.delete({ ...key, tenantId: randomUUID() });
      expect(await read(key)).toHaveLength(10);
      await store.delete(key);
      await store.delete(key);
      expect(await read(key)).toBeUndefined();
    });
  });

  describe('receiving a file', () => {
    let staging: StagingFolder;
    beforeEach(async () => {
      staging = new StagingFolder(await mkdtemp(join(folder, 'incoming-')));
      await staging.start();
    });
    const left = () => readdir(staging.folder);

    test('size and hash are those of the content, and the head is what it begins with', async () => {
      const bytes = randomBytes(100_000);
      let seen = Buffer.alloc(0);
      const file = await staging.receive(inChunks(bytes, 1_000), (head) => {
        seen = Buffer.from(head);
        return Promise.resolve({ maxBytes: 100_000 });
      });
      expect(file.size).toBe(bytes.length);
      expect(file.sha256).toEqual(createHash('sha256').update(bytes).digest());
      expect(seen).toEqual(bytes.subarray(0, 4_100));
    });

    test('one that is too large, one that breaks off and one that is refused leave nothing', async () => {
      async function* broken() {
        yield* inChunks(randomBytes(200_000));
        throw new Error('cut');
      }
      await expect(staging.receive(inChunks(randomBytes(200_000)), upTo(199_999))).rejects.toThrow(FileTooLargeError);
      await expect(staging.receive(inChunks(randomBytes(10)), upTo(9))).rejects.toThrow(FileTooLargeError);
      await expect(staging.receive(broken(), upTo(1e9))).rejects.toThrow('cut');
      const refuse = () => Promise.reject(new Error('refused'));
      await expect(staging.receive(inChunks(randomBytes(200_000)), refuse)).rejects.toThrow('refused');
      expect(await left()).toEqual([]);
    });

    test('an endless sender is read no further than the limit', async () => {
      let given = 0;
      async function* endless() {
        for (;;) yield await Promise.resolve(Buffer.alloc(((given += 65_536), 65_536)));
      }
      await expect(staging.receive(endless(), upTo(1_000_000))).rejects.toThrow(FileTooLargeError);
      expect(given).toBeLessThan(1_200_000);
    });

    test('what a killed process has left goes once it is old', async () => {
      for (const name of ['old', 'new']) await writeFile(join(staging.folder, name), 'x');
      const twoHoursAgo = Date.now() / 1_000 - 7_200;
      await utimes(join(staging.folder, 'old'), twoHoursAgo, twoHoursAgo);
      expect(await staging.sweep(3_600_000)).toBe(1);
      expect(await left()).toEqual(['new']);
    });
  });

  test('the server signs as Amazon documents it', () => {
    const headers = {
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-amz-date': '20130524T000000Z',
    };
    const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
    const request = { method: 'GET', path: '/test.txt', headers };
    expect(signatureV4(request, Object.keys(headers), { secretAccessKey, region: 'us-east-1' })).toBe(
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    );
  });

  test('S3 that is busy is asked again; one that stays busy is a failure', async () => {
    const store = createS3();
    server.busyAnswers = 2;
    await store.start();
    server.busyAnswers = 3;
    await expect(store.delete({ tenantId: randomUUID(), objectId: randomUUID() })).rejects.toThrow(
      /MEDIA_STORE.*503 SlowDown/,
    );
    expect(server.busyAnswers).toBe(0);
  });

  test('objects lie below the prefix, by tenant', async () => {
    const names = [...server.objects.keys()];
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(name).toMatch(/^a\/b\/[0-9a-f-]{36}\/[0-9a-f-]{36}$/);
    await Promise.resolve();
  });

  describe('a store that cannot be used names the variable', () => {
    const failure = async (store: ObjectStore) => {
      const error: unknown = await store.start().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ObjectStoreError);
      return String(error);
    };

    test.each([
      ['a wrong secret', { secretAccessKey: 'wrong' }, /MEDIA_STORE.*403.*AWS_SECRET_ACCESS_KEY/],
      ['an unknown bucket', { bucket: 'no-such-bucket' }, /MEDIA_STORE.*no-such-bucket.*404/],
      ['no server', { endpoint: 'http://127.0.0.1:9' }, /MEDIA_STORE.*ECONNREFUSED/],
    ])('%s', async (_what, difference, sentence) => {
      expect(await failure(createS3(difference))).toMatch(sentence);
    });

    test('a folder that is a file', async () => {
      const path = join(folder, 'a-file');
      await writeFile(path, '');
      expect(await failure(new FileStore(path))).toMatch(/MEDIA_STORE.*a-file/);
    });

    test('a file whose hash is another than its content’s is refused by the server', async () => {
      const store = createS3();
      await store.start();
      async function* content() {
        yield await Promise.resolve(Buffer.from('content'));
      }
      const staged = await store.staging.receive(content(), upTo(100));
      const key = { tenantId: randomUUID(), objectId: randomUUID() };
      const forged = { ...staged, sha256: createHash('sha256').update('other').digest() };
      await expect(store.put(key, forged)).rejects.toThrow(/MEDIA_STORE/);
    });
  });
}
