// Expressions of Prometheus, of which the panels of the dashboard are made.

const ofProcess = 'instance=~"$instance"';
export const intakeRoutes = 'route=~"/webhooks/.*|/public/leads"';

export const own = (metric: string) => `${metric}{${ofProcess}}`;
export const perSecond = (counter: string, ...conditions: string[]) =>
  `rate(${counter}{${[ofProcess, ...conditions].join(',')}}[$__rate_interval])`;
export const sum = (by: string, expression: string) => `sum by (${by}) (${expression})`;

/** The share of a histogram's values, such as 0.99, that its result is not below. */
export const quantile = (share: number, by: string, histogram: string, ...conditions: string[]) =>
  `histogram_quantile(${share}, ${sum(`${by}, le`, perSecond(`${histogram}_bucket`, ...conditions))})`;

export const halfAndMost = (by: string, histogram: string, ...conditions: string[]) => ({
  [`{{${by}}} p50`]: quantile(0.5, by, histogram, ...conditions),
  [`{{${by}}} p99`]: quantile(0.99, by, histogram, ...conditions),
});
