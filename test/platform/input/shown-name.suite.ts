// Names that people see hold no marks that mislead a reader: one rule for the names of all records.

import type { z } from 'zod';
import { chatInstanceSchemas } from '../../../src/features/chat-instances/chat-instance.schema.js';
import { createDashboardSchema } from '../../../src/features/dashboards/dashboard.schema.js';
import { leadSourceSchemas } from '../../../src/features/lead-sources/lead-source.schema.js';
import { createLeadSchema, fieldNameSchema, tagsSchema } from '../../../src/features/leads/lead.schema.js';
import { createInboxViewSchema } from '../../../src/features/leads/views/kept-view.schema.js';
import { keepPushDeviceSchema } from '../../../src/features/push/push-device.schema.js';
import { createTemplateSchema } from '../../../src/features/templates/template.schema.js';
import { createTenantSchema, updateTenantSchema } from '../../../src/features/tenants/tenant.schema.js';
import { createUserSchema, updateProfileSchema } from '../../../src/features/users/user.schema.js';

const id = '01890000-0000-7000-8000-000000000000';

export function describeShownNames(): void {
  const noUrl = () => undefined;
  const widgets = (title: string) => [{ type: 'FIGURE', title, metric: 'LEADS_CREATED' }];
  const cases: [string, z.ZodType, (name: string) => unknown, (read: never) => unknown][] = [
    ['a tenant', createTenantSchema, (name) => ({ name, slug: 'a' }), ({ name }: { name: string }) => name],
    [
      "a tenant's label",
      updateTenantSchema,
      (webhookSourceLabel) => ({ webhookSourceLabel }),
      (read: { webhookSourceLabel: string }) => read.webhookSourceLabel,
    ],
    [
      'a user',
      createUserSchema,
      (name) => ({ email: 'a@b.example', role: 'ADMIN', name }),
      ({ name }: { name: string }) => name,
    ],
    [
      'a signature',
      updateProfileSchema,
      (displayName) => ({ displayName }),
      ({ displayName }: { displayName: string }) => displayName,
    ],
    ['a template', createTemplateSchema, (name) => ({ name, body: 'x' }), ({ name }: { name: string }) => name],
    [
      'an instance',
      chatInstanceSchemas({ providers: ['gateway'], checkUrl: noUrl }).create,
      (instanceName) => ({ accountId: id, instanceName }),
      ({ instanceName }: { instanceName: string }) => instanceName,
    ],
    ['a tag', tagsSchema, (tag) => [tag], ([tag]: string[]) => tag],
    ['a custom field', fieldNameSchema, (name) => name, (name: string) => name],
    ['a view', createInboxViewSchema, (name) => ({ name, filter: {} }), ({ name }: { name: string }) => name],
    [
      'a lead source',
      leadSourceSchemas(noUrl).create,
      (name) => ({ kind: 'FORM', name }),
      ({ name }: { name: string }) => name,
    ],
    ['a lead', createLeadSchema(), (name) => ({ chat: '+5511988887777', name }), ({ name }: { name: string }) => name],
    [
      "a lead's source",
      createLeadSchema(),
      (source) => ({ chat: '+5511988887777', source }),
      ({ source }: { source: string }) => source,
    ],
    [
      'a browser',
      keepPushDeviceSchema.pick({ name: true }),
      (name) => ({ name }),
      ({ name }: { name: string }) => name,
    ],
    [
      'a widget',
      createDashboardSchema,
      (title) => ({ name: 'x', widgets: widgets(title) }),
      ({ widgets: [widget] }: { widgets: { title: string }[] }) => widget?.title,
    ],
    ['a dashboard', createDashboardSchema, (name) => ({ name, widgets: [] }), ({ name }: { name: string }) => name],
  ];

  test.each(cases)('the name of %s has no marks that nobody sees', (_kind, schema, inputOf, nameOf) => {
    const read = (name: string) => schema.safeParse(inputOf(name));
    const accepted = read('\u200Ba\u202Eb\u00ADc\uFEFF');
    expect(accepted.error?.issues).toBeUndefined();
    expect(nameOf(accepted.data as never)).toBe('abc');
    // Letters of scripts that need a joiner, and families of emoji, keep theirs.
    for (const whole of ['می\u200Cروم', '👩\u200D👧']) expect(nameOf(read(whole).data as never)).toBe(whole);
    for (const empty of ['\u200B', '\u202E\u2066', '\u3164']) expect(read(empty).success).toBe(false);
  });
}
