// The form of every refusal over REST: RFC 9457 problem details with a code and its exact status. The table is written out here, not
// imported, so that a changed status in the code is seen.

const statusOf = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  SIGNATURE_INVALID: 401,
  GRANT_INVALID: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_FAILED: 422,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
} as const;

export type ProblemCode = keyof typeof statusOf;

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  requestId: string;
  errors?: { path: string; message: string }[];
}

/** The part of an answer that `fetch` and `rawRequest` share. */
export interface ProblemAnswer {
  status: number;
  headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** Fails unless the answer is this problem; with `paths`, unless `errors` names exactly these fields, in any order. */
export async function expectProblem(answer: ProblemAnswer, code: ProblemCode, paths?: string[]): Promise<Problem> {
  const text = await answer.text();
  expect({ status: answer.status, text }).toEqual({ status: statusOf[code], text });
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json(;|$)/);
  const problem = JSON.parse(text) as Problem;
  expect(problem).toEqual({
    type: `/docs/errors#${code}`,
    title: expect.stringMatching(/\S/),
    status: statusOf[code],
    detail: expect.stringMatching(/\S/),
    code,
    requestId: answer.headers.get('x-request-id'),
    ...(code === 'VALIDATION_FAILED' || fieldsMayBeNamed(code, problem) ? { errors: expect.any(Array) } : {}),
  });
  expect(text).not.toMatch(/node_modules|\bat \S+ \(|SELECT |INSERT |prisma|postgres/i);
  for (const error of problem.errors ?? [])
    expect(error).toEqual({ path: expect.any(String), message: expect.stringMatching(/\S/) });
  if (paths !== undefined)
    expect([...new Set(problem.errors?.map((error) => error.path))].sort()).toEqual([...paths].sort());
  return problem;
}

/** Tells whether the problem may name fields although the body is refused as a whole. */
function fieldsMayBeNamed(code: ProblemCode, { errors }: Problem): boolean {
  return errors !== undefined && (code === 'PAYLOAD_TOO_LARGE' || code === 'UNSUPPORTED_MEDIA_TYPE');
}
