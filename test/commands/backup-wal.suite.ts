// The drill's search for WAL files that an archive lacks, and its arguments.

import { listMissingWal } from '../../src/commands/doctor/backup/pgbackrest.js';
import { examine } from '../../src/commands/doctor/examination.js';
import { jest } from '../support/jest.js';

const megabyte = 1_024 * 1_024;
const archived = (...names: string[]) => names.map((name) => ({ name, archivedAt: new Date(0) }));

export function describeBackupWal(): void {
  test('nothing lacks where each file follows the other, over the end of a log and a new timeline', () => {
    const files = archived(
      '0000000100000000000000FE',
      '0000000100000000000000FF',
      '000000010000000100000000',
      '000000020000000100000001',
    );
    expect(listMissingWal('0000000100000000000000FE', files, 16 * megabyte)).toEqual([]);
  });

  test('gaps are named on the timeline before them, files from before the backup do not count', () => {
    const files = archived('000000010000000000000001', '000000010000000000000004', '000000020000000000000007');
    expect(listMissingWal('000000010000000000000004', files, 16 * megabyte)).toEqual([
      '000000010000000000000005',
      '000000010000000000000006',
    ]);
  });

  test('the first file may lack, and files may have another size', () => {
    expect(listMissingWal('000000010000000000000003', archived('000000010000000100000000'), 1_024 * megabyte)).toEqual([
      '000000010000000000000003',
    ]);
  });

  test('options of a drill are refused without one', async () => {
    const complaint = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      expect(await examine(['--stanza', 'leadwire'], {}, () => undefined)).toBe(2);
      expect(complaint).toHaveBeenCalledWith(expect.stringMatching(/^--stanza belongs to --backup\n/));
    } finally {
      complaint.mockRestore();
    }
  });
}
