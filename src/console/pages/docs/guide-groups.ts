// The guides by their readers, in the order of the list and of /llms.txt.

export type GuideGroup = 'forUsers' | 'forIntegrators' | 'forBuilders' | 'forAdministrators' | 'aboutInside';

/** The guides in the order of the list. A guide that is missing here comes last. */
const guideGroups: Record<GuideGroup, readonly string[]> = {
  forUsers: ['use-the-console'],
  forIntegrators: [
    'integrate',
    'integrate-lead-sources',
    'integrate-form-products',
    'integrate-forms',
    'integrate-limits',
    'errors',
    'numbers',
    'integrate-gateways',
    'integrate-waha',
    'integrate-meta',
    'integrate-receipts',
    'message-kinds',
    'integrate-webhooks',
    'dry-runs',
    'simulator',
    'simulator-dresses',
    'simulator-players',
  ],
  forBuilders: [
    'build-a-client',
    'client-features',
    'files-of-leads',
    'client-conversations',
    'client-search',
    'client-messages',
    'quick-replies',
    'client-example',
    'assistants',
    'consent',
    'ads',
  ],
  forAdministrators: [
    'operate',
    'operate-docker',
    'operate-upgrade',
    'configuration',
    'operate-sign-in',
    'operate-secrets',
    'operate-monitoring',
    'operate-retention',
    'metrics',
    'runbook',
    'recover-messages',
    'operate-growth',
    'operate-databases',
    'operate-cluster',
    'operate-backup',
  ],
  aboutInside: [
    'design',
    'design-paths',
    'design-parts',
    'measured',
    'measured-growth',
    'measured-hostile',
    'faults',
    'contribute',
    'glossary',
    'changelog',
    'changelog-intake',
    'changelog-forms',
    'changelog-console',
  ],
};

/** Lists every guide under its readers. A guide that no group names comes last. */
export function groupGuides(names: readonly string[]): { group: GuideGroup; names: string[] }[] {
  const listed = Object.entries(guideGroups).map(([group, wanted]) => ({
    group: group as GuideGroup,
    names: wanted.filter((name) => names.includes(name)),
  }));
  const missing = names.filter((name) => !listed.some((one) => one.names.includes(name)));
  return listed.map((one) => (one.group === 'aboutInside' ? { ...one, names: [...one.names, ...missing] } : one));
}
