// The kinds of lead sources, and the paths that they call.

/** Every kind with its meaning. */
export const leadSourceKinds = {
  META: 'Lead Ads of Meta: it reports ids, and the answers are fetched from its Graph API.',
  GOOGLE: "A lead form of Google Ads, which sends a key of the ADMIN's.",
  FORM: 'Any form that can post JSON or form fields to an address.',
} as const;

export type LeadSourceKind = keyof typeof leadSourceKinds;

const paths: Record<LeadSourceKind, string> = { META: 'meta', GOOGLE: 'google', FORM: 'form' };

/** Returns the path that a source calls. */
export function pathOfSource({ kind, id }: { kind: LeadSourceKind; id: string }): string {
  return `/webhooks/leads/${paths[kind]}/${id}`;
}

/** The path patterns of all kinds. */
export const leadSourcePaths = Object.values(paths).map((name) => `/webhooks/leads/${name}/:sourceId`);

/** Returns the kind that a path is for, in any letter case. */
export function kindOfPath(path: string): LeadSourceKind | undefined {
  const name = path.split('/')[3]?.toLowerCase();
  return (Object.keys(paths) as LeadSourceKind[]).find((kind) => paths[kind] === name);
}
