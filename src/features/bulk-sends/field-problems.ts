// What is wrong with a long input, told in a bounded answer.

import type { FieldError } from '../../platform/errors.js';
import { validationFailed } from '../../platform/input.js';

/** Most wrong fields that are listed. */
export const maxProblemsListed = 100;

export class FieldProblems {
  private readonly listed: FieldError[] = [];
  private count = 0;

  add(path: string, message: string): void {
    this.count += 1;
    if (this.count <= maxProblemsListed) this.listed.push({ path, message });
  }

  /**
   * @param root where the rest of them is told of
   * @throws AppError VALIDATION_FAILED with the first 100, and how many more there are
   */
  throwIfAny(root: string): void {
    if (this.count === 0) return;
    const more = this.count - this.listed.length;
    const rest = more === 0 ? [] : [{ path: root, message: `${more} more fields are wrong and are not listed` }];
    throw validationFailed([...this.listed, ...rest]);
  }
}
