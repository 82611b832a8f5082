// The dashboard that operators import into Grafana. `npm run generate` writes it into grafana-dashboard.json.

import { sections, type Panel } from './dashboard-panels.js';

const fullWidth = 24;
const panelHeight = 8;
const datasource = { type: 'prometheus', uid: '${datasource}' };

/** Draws lines that begin at zero, with a legend below. */
function graph({ title, unit, description, series }: Panel, gridPos: object): object {
  return {
    type: 'timeseries',
    title,
    description,
    datasource,
    gridPos,
    fieldConfig: {
      defaults: { unit, min: 0, custom: { lineWidth: 1, fillOpacity: 10, showPoints: 'never' } },
      overrides: [],
    },
    options: {
      legend: { displayMode: 'list', placement: 'bottom' },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
    targets: Object.entries(series).map(([legendFormat, expr], index) => ({
      refId: String.fromCodePoint(65 + index),
      datasource,
      expr,
      legendFormat,
    })),
  };
}

/** Places the sections below each other, each under a line with its title. */
function placeSections(): object[] {
  const panels: object[] = [];
  let y = 0;
  for (const { title, rows } of sections) {
    panels.push({ type: 'row', title, collapsed: false, gridPos: { h: 1, w: fullWidth, x: 0, y }, panels: [] });
    y += 1;
    for (const row of rows) {
      const w = fullWidth / row.length;
      for (const [index, panel] of row.entries()) panels.push(graph(panel, { h: panelHeight, w, x: index * w, y }));
      y += panelHeight;
    }
  }
  return panels.map((panel, index) => ({ id: index + 1, ...panel }));
}

const processes = 'label_values(leadwire_database_up, instance)';

export const grafanaDashboard = {
  uid: 'leadwire',
  title: 'Leadwire',
  tags: ['leadwire'],
  schemaVersion: 39,
  version: 1,
  editable: true,
  timezone: 'browser',
  refresh: '30s',
  time: { from: 'now-3h', to: 'now' },
  templating: {
    list: [
      { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
      {
        name: 'instance',
        label: 'Process',
        type: 'query',
        datasource,
        definition: processes,
        query: { query: processes, refId: 'instances' },
        refresh: 2,
        multi: true,
        includeAll: true,
        allValue: '.*',
        current: { text: 'All', value: '$__all' },
      },
    ],
  },
  annotations: { list: [] },
  panels: placeSections(),
};
