// The dashboards that every tenant begins with. They are the tenant's own from then on.

import type { WantedWidget } from './dashboard.schema.js';

/** The last of them stands first in the list. */
export const defaultDashboards: readonly { name: string; widgets: readonly WantedWidget[] }[] = [
  {
    name: 'Response times',
    widgets: [
      { type: 'FIGURE', title: 'Response time, median', metric: 'RESPONSE_TIME_MEDIAN' },
      { type: 'FIGURE', title: 'Response time, 9 of 10', metric: 'RESPONSE_TIME_P90' },
      { type: 'FIGURE', title: 'Still unanswered', metric: 'TURNS_UNANSWERED' },
      { type: 'SERIES', title: 'Response time by day', metric: 'RESPONSE_TIME_MEDIAN', bucket: 'DAY' },
      { type: 'BREAKDOWN', title: 'Speed to lead by source', metric: 'SPEED_TO_LEAD', dimension: 'SOURCE' },
      { type: 'BREAKDOWN', title: 'Busy hours', metric: 'MESSAGES_RECEIVED', dimension: 'HOUR_OF_DAY' },
    ],
  },
  {
    name: 'Leads and messages',
    widgets: [
      { type: 'FIGURE', title: 'New leads', metric: 'LEADS_CREATED' },
      { type: 'FIGURE', title: 'Messages received', metric: 'MESSAGES_RECEIVED' },
      { type: 'FIGURE', title: 'Waiting to be sent', metric: 'QUEUE_DEPTH' },
      { type: 'SERIES', title: 'Messages by day', metric: 'MESSAGES', bucket: 'DAY' },
      { type: 'BREAKDOWN', title: 'Leads by source', metric: 'LEADS_CREATED', dimension: 'SOURCE' },
      {
        type: 'TABLE',
        title: 'Delivery by line',
        metrics: ['MESSAGES_SENT', 'DELIVERED_RATE', 'READ_RATE', 'FAILED_RATE'],
        dimension: 'INSTANCE',
      },
    ],
  },
];
