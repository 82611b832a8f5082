/** What is wrong with one field of an input. */
export interface FieldProblem {
  /** In dots, as `input.chat`. */
  path: string;
  message: string;
}
