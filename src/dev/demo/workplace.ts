// The templates, the dashboards and the disabled webhook endpoint of the demo's desk. Each is created when its name or address is
// missing, so that the call may be repeated.

import type { CreateDashboardInput } from '../../features/dashboards/dashboard.schema.js';
import type { CreateTemplateInput } from '../../features/templates/template.schema.js';
import type { Services } from '../../services.js';
import type { Desk } from './demo-tenant.js';

const manyAtOnce = { first: 100 };

/** The template of the demo's bulk send. */
export const newsTemplateName = 'spring news';

const templates: readonly CreateTemplateInput[] = [
  {
    name: newsTemplateName,
    body: 'Hi {{lead.name}}, our houses by the sea are open for {{season | summer}}. Shall we send you the list? 🌊',
  },
  {
    name: 'greeting/pt',
    shortcut: 'ola',
    body: 'Olá {{lead.name | tudo bem}}! Obrigado por escrever à Atlantic Stays. Para que datas procura?',
  },
  {
    name: 'greeting/es',
    shortcut: 'hola',
    body: '¡Hola, {{lead.name | buenas}}! Gracias por escribir a Atlantic Stays. ¿Para qué fechas busca?',
  },
  {
    name: 'arrival',
    shortcut: 'arrival',
    body: 'The code of the lock is {{code}}. Check-in is from {{time | 15:00}} at {{address}}. Have a good trip!',
  },
  { name: 'payment reminder', body: 'Dear {{lead.name}}, the deposit of {{amount}} for your stay is due on {{date}}.' },
];

const dashboards: readonly CreateDashboardInput[] = [
  {
    name: 'Front desk',
    timeZone: 'Europe/Lisbon',
    range: { preset: 'LAST_7_DAYS' },
    widgets: [
      { type: 'FIGURE', title: 'Waiting for an answer', metric: 'TURNS_UNANSWERED' },
      { type: 'FIGURE', title: 'Answered in (median)', metric: 'RESPONSE_TIME_MEDIAN' },
      { type: 'FIGURE', title: 'New guests', metric: 'LEADS_CREATED' },
      { type: 'FIGURE', title: 'Not sent', metric: 'FAILED_RATE' },
      { type: 'SERIES', title: 'Messages from guests, by day', metric: 'MESSAGES_RECEIVED', bucket: 'DAY' },
      { type: 'SERIES', title: 'Answered in, by day', metric: 'RESPONSE_TIME_MEDIAN', bucket: 'DAY' },
      { type: 'BREAKDOWN', title: 'When guests write', metric: 'MESSAGES_RECEIVED', dimension: 'HOUR_OF_WEEK' },
    ],
  },
  {
    name: 'Guests and sources',
    timeZone: 'Europe/Lisbon',
    range: { preset: 'LAST_30_DAYS' },
    widgets: [
      { type: 'FIGURE', title: 'New guests', metric: 'LEADS_CREATED' },
      { type: 'FIGURE', title: 'Opted out', metric: 'LEADS_OPTED_OUT' },
      { type: 'SERIES', title: 'New guests, by day', metric: 'LEADS_CREATED', bucket: 'DAY' },
      { type: 'BREAKDOWN', title: 'Where they come from', metric: 'LEADS_CREATED', dimension: 'SOURCE' },
      { type: 'BREAKDOWN', title: 'First answer, by source', metric: 'SPEED_TO_LEAD', dimension: 'SOURCE' },
      {
        type: 'TABLE',
        title: 'Delivery by instance',
        metrics: ['MESSAGES_SENT', 'DELIVERED_RATE', 'READ_RATE', 'FAILED_RATE'],
        dimension: 'INSTANCE',
      },
    ],
  },
];

const endpoint = {
  url: 'https://crm.example.com/hooks/leadwire',
  description: 'Reservation system (deactivated in the demo)',
  eventTypes: ['MESSAGE_RECEIVED', 'LEAD_CREATED', 'MESSAGE_STATUS_CHANGED'],
  isEnabled: false,
} as const;

export async function furnishWorkplace(services: Services, { admin, operator }: Desk): Promise<void> {
  const known = await services.templates.list(admin, manyAtOnce);
  const templateNames = new Set(known.edges.map(({ node }) => node.name));
  for (const template of templates)
    if (!templateNames.has(template.name)) await services.templates.create(admin, template);
  const shown = await services.dashboards.list(operator, manyAtOnce);
  const dashboardNames = new Set(shown.edges.map(({ node }) => node.name));
  for (const dashboard of dashboards)
    if (!dashboardNames.has(dashboard.name)) await services.dashboards.create(operator, dashboard);
  const endpoints = await services.webhookEndpoints.list(admin);
  if (!endpoints.some(({ url }) => url === endpoint.url))
    await services.webhookEndpoints.create(admin, { ...endpoint, eventTypes: [...endpoint.eventTypes] });
}
