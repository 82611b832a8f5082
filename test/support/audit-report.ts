// Reads the output of `npm audit --json`: packages with known holes, none, or a registry that does not offer audits.

import { z } from 'zod';

/** The severities that fail the check. */
const grave = ['high', 'critical'];

const reportSchema = z.object({
  auditReportVersion: z.literal(2),
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.string(),
      range: z.string(),
      via: z.array(z.union([z.string(), z.object({ title: z.string(), url: z.string() })])),
    }),
  ),
});
// npm's output where the registry's answer is no report. npm's own faults (such as a missing lock file) have a code and no message.
const refusalSchema = z.object({ message: z.string(), error: z.object({ code: z.never().optional() }) });

export type Audit =
  { outcome: 'clean' } | { outcome: 'unavailable'; reason: string } | { outcome: 'found'; findings: string[] };

/** @throws Error for output that is neither a report nor the registry's refusal */
export function readAudit(output: string): Audit {
  const json = parse(output);
  const refusal = refusalSchema.safeParse(json);
  if (refusal.success) return { outcome: 'unavailable', reason: refusal.data.message };
  const report = reportSchema.safeParse(json);
  if (!report.success) throw new Error(`npm audit gave no report: ${output.trim().slice(0, 1_000)}`);
  const found = Object.entries(report.data.vulnerabilities).filter(([, { severity }]) => grave.includes(severity));
  if (found.length === 0) return { outcome: 'clean' };
  const findings = found.map(([name, { severity, range, via }]) => {
    const reasons = via.map((reason) =>
      typeof reason === 'string' ? `by ${reason}` : `${reason.title} ${reason.url}`,
    );
    return `${name} ${range} (${severity}): ${reasons.join('; ')}`;
  });
  return { outcome: 'found', findings };
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}
