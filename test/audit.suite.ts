// `npm run audit` judges npm's answers: a hole fails the check, a registry without audits does not, anything else does.

import { readAudit } from './support/audit-report.js';

const reportOf = (severity: string) => {
  const via = [{ source: 1, name: 'leaky', title: 'A hole', url: 'https://advisories.example/1', severity }];
  const vulnerabilities = {
    leaky: { name: 'leaky', severity, isDirect: false, via, effects: ['outer'], range: '<=1.2.3', nodes: [] },
    outer: { name: 'outer', severity, isDirect: true, via: ['leaky'], effects: [], range: '*', nodes: [] },
  };
  return JSON.stringify({ auditReportVersion: 2, vulnerabilities, metadata: { vulnerabilities: { [severity]: 2 } } });
};

export function describeAudit(): void {
  test.each(['high', 'critical'])(
    'a hole of severity %s is found, with the package, its versions and where it was published',
    (severity) => {
      expect(readAudit(reportOf(severity))).toEqual({
        outcome: 'found',
        findings: [
          `leaky <=1.2.3 (${severity}): A hole https://advisories.example/1`,
          `outer * (${severity}): by leaky`,
        ],
      });
    },
  );

  test.each([
    ['nothing', JSON.stringify({ auditReportVersion: 2, vulnerabilities: {}, metadata: {} })],
    ['moderate', reportOf('moderate')],
    ['low', reportOf('low')],
  ])('with %s found the audit is clean', (_, output) => {
    expect(readAudit(output)).toEqual({ outcome: 'clean' });
  });

  test.each([
    '405 Method Not Allowed - POST https://registry.example/-/npm/v1/security/advisories/bulk',
    'request to https://registry.example/-/npm/v1/security/advisories/bulk failed, reason: getaddrinfo ENOTFOUND',
  ])('a registry without audits: %s', (message) => {
    const output = JSON.stringify({ message, statusCode: 405, body: '', error: { summary: '', detail: '' } });
    expect(readAudit(output)).toEqual({ outcome: 'unavailable', reason: message });
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '<html>'],
    [
      'a fault of npm',
      JSON.stringify({ error: { code: 'ENOLOCK', summary: 'This command requires an existing lockfile.' } }),
    ],
    ['a report of another version', JSON.stringify({ auditReportVersion: 3, vulnerabilities: {} })],
  ])('%s is no audit', (_, output) => {
    expect(() => readAudit(output)).toThrow(/^npm audit gave no report: /);
  });
}
