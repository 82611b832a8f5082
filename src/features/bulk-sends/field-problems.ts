// What is wrong with a long input, told in a bounded answer.

import { maxFieldErrors } from '../../platform/errors.js';
import type { FieldError } from '../../platform/errors.js';
import { validationFailed } from '../../platform/input.js';

export class FieldProblems {
  private readonly listed: FieldError[] = [];
  private unlisted = 0;

  add(path: string, message: string): void {
    if (this.listed.length < maxFieldErrors) this.listed.push({ path, message });
    else this.unlisted += 1;
  }

  /** @throws AppError VALIDATION_FAILED with the first 100, and how many more there are */
  throwIfAny(): void {
    if (this.listed.length > 0) throw validationFailed(this.listed, this.unlisted);
  }
}
