// Ranges and zones of the address, values and times as texts, and widgets as the API takes them.

import {
  canFilter,
  canGroup,
  dimensionNames,
  filterDimensions,
  isOfNow,
  metricNames,
  unitOf,
} from '../../src/console/pages/dashboards/metric-rules.js';
import { dayOf, lastWeek, readingOf, startOfDay } from '../../src/console/pages/dashboards/reading.js';
import { durationOf, keyLabel, valueFormatsOf } from '../../src/console/pages/dashboards/value-formats.js';
import { draftOf, inputOf, inputOfPlan, moved, problemsOf } from '../../src/console/pages/dashboards/widget-input.js';
import type { WidgetPlan } from '../../src/console/pages/dashboards/marks.js';
import * as api from '../../src/features/dashboards/metric.js';

// Some locales put spaces of another kind between digits and units.
const plain = (text: string) => text.replaceAll(/[\u00A0\u2009\u202F]/g, ' ');

export function describeDashboardReading() {
  describe('the address', () => {
    it('without range and zone reads what is stored', () => {
      expect(readingOf({}, 'Europe/Lisbon')).toEqual({});
      expect(readingOf({ range: 'nonsense', zone: 'Asia/Tokyo' }, 'UTC')).toEqual({ timeZone: 'Asia/Tokyo' });
    });

    it('names a range that moves', () => {
      expect(readingOf({ range: '7-days' }, 'UTC')).toEqual({ range: { preset: 'LAST_7_DAYS' } });
    });

    it('offers the last seven days of its zone first', () => {
      const now = Date.parse('2026-11-03T01:30:00Z');
      expect(lastWeek(now, 'America/Sao_Paulo')).toEqual({ since: '2026-10-27', until: '2026-11-02' });
      expect(lastWeek(now, 'Asia/Tokyo')).toEqual({ since: '2026-10-28', until: '2026-11-03' });
    });

    it('has days that count in its zone, the last one included', () => {
      const days = { range: 'custom', since: '2026-11-01', until: '2026-11-02' };
      const range = { from: '2026-11-01T03:00:00.000Z', to: '2026-11-03T03:00:00.000Z' };
      expect(readingOf({ ...days, zone: 'America/Sao_Paulo' }, 'UTC')).toEqual({
        timeZone: 'America/Sao_Paulo',
        range,
      });
      expect(readingOf(days, 'America/Sao_Paulo')).toEqual({ timeZone: 'America/Sao_Paulo', range });
    });

    it.each([
      {},
      { since: '2026-11-02' },
      { since: '2026-11-02', until: '2026-11-01' },
      { since: '2026-02-31x', until: '2026-11-01' },
    ])('reads nothing while the days are %p', (days) => {
      expect(readingOf({ range: 'custom', ...days }, 'UTC')).toBeUndefined();
    });

    it('leaves a zone that is none to the API', () => {
      const days = { range: 'custom', since: '2026-11-01', until: '2026-11-02' };
      expect(readingOf({ ...days, zone: 'Mars/Base' }, 'UTC')).toEqual({ timeZone: 'Mars/Base' });
    });
  });

  it.each([
    ['2026-11-23', 'UTC', '2026-11-23T00:00:00.000Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    // Midnight was skipped, so the day began at one.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['2026-11-23', 'Pacific/Kiritimati', '2026-11-22T10:00:00.000Z'],
  ])('%s in %s begins at %s', (day, zone, start) => {
    expect(startOfDay(day, zone)).toBe(start);
    expect(dayOf(Date.parse(start), zone)).toBe(day);
    expect(dayOf(Date.parse(start) - 1, zone)).not.toBe(day);
  });

  describe('values as texts', () => {
    const formats = valueFormatsOf('en', 'America/Sao_Paulo');

    it('have their unit', () => {
      expect([
        formats.value(1_204, 'COUNT'),
        formats.value(0.0741, 'RATIO'),
        formats.value(null, 'RATIO'),
        plain(formats.value(553, 'SECONDS')),
      ]).toEqual(['1,204', '7.4%', '–', '9 min 13 sec']);
      expect(plain(valueFormatsOf('pt-BR', 'UTC').value(0.5, 'RATIO'))).toBe('50%');
      expect(valueFormatsOf('pt-BR', 'UTC').value(1_204, 'COUNT')).toBe('1.204');
    });

    it.each([
      [0, '0 sec'],
      [2.34, '2.3 sec'],
      [59.6, '1 min'],
      [60, '1 min'],
      [3_599, '59 min 59 sec'],
      [3_660, '1 hr 1 min'],
      [86_400 + 7_200 + 59, '1 day 2 hr'],
    ])('%p seconds are %s', (seconds, text) => {
      expect(plain(durationOf('en', seconds, 2))).toBe(text);
    });

    it('name a bucket by the clock of the zone', () => {
      const start = '2026-11-01T03:00:00.000Z';
      expect(formats.bucket('DAY', start, '2026-11-02T03:00:00.000Z')).toBe('Sun, Nov 1, 2026');
      expect(formats.bucket('MONTH', start, '2026-12-01T03:00:00.000Z')).toBe('November 2026');
      expect(plain(formats.bucket('WEEK', start, '2026-11-08T03:00:00.000Z'))).toBe('Nov 1 – 7, 2026');
      expect(formats.bucketTick('HOUR', start)).toBe('Nov 1');
      expect(plain(formats.period(start, '2026-11-08T03:00:00.000Z'))).toBe('Nov 1 – 7, 2026');
      expect(plain(formats.period(start, '2026-11-01T05:30:00.000Z'))).toContain('2:30');
    });

    it('name keys in the language, and people as they are called', () => {
      const words = {
        nobody: 'Ninguém',
        noAuthor: 'Sem autor',
        received: 'Recebida',
        none: 'Nenhum',
        known: { READ: 'Lida' },
      };
      const pt = valueFormatsOf('pt-BR', 'UTC');
      const say = (dimension: api.Dimension, key: string | null, label = 'label') =>
        keyLabel({ dimension, key, label }, words, pt);
      expect(say('WEEKDAY', '1', 'Monday')).toBe('segunda-feira');
      expect(say('HOUR_OF_DAY', '3', '3')).toBe('03:00');
      expect(say('HOUR_OF_WEEK', '1-3', 'Monday 3:00')).toBe('segunda-feira, 03:00');
      expect([say('ASSIGNEE', null), say('AUTHOR', null), say('STATUS', null), say('SOURCE', null)]).toEqual([
        'Ninguém',
        'Sem autor',
        'Recebida',
        'Nenhum',
      ]);
      expect([say('STATUS', 'READ'), say('ASSIGNEE', 'id', 'Ana'), say('SOURCE', 'READ', 'READ')]).toEqual([
        'Lida',
        'Ana',
        'READ',
      ]);
    });
  });

  describe('rules of metrics', () => {
    it('are those of the API', () => {
      expect(metricNames).toEqual(api.metricNames);
      expect([...dimensionNames].toSorted()).toEqual([...api.dimensionNames].toSorted());
      expect(filterDimensions).toEqual(api.filterFields);
      for (const metric of metricNames) {
        expect([metric, unitOf(metric), isOfNow(metric)]).toEqual([metric, api.unitOf(metric), api.isOfNow(metric)]);
        for (const dimension of dimensionNames)
          expect([metric, dimension, canGroup(metric, dimension)]).toEqual([
            metric,
            dimension,
            api.isBrokenDownBy(metric, dimension),
          ]);
      }
    });

    it('offer a filter that every column takes', () => {
      expect(canFilter(['MESSAGES', 'MESSAGES_SENT'], 'templateIds')).toBe(true);
      expect(canFilter(['MESSAGES', 'LEADS_CREATED'], 'templateIds')).toBe(false);
    });
  });

  describe('a widget for the API', () => {
    const filter = {
      sources: null,
      assigneeIds: null,
      adIds: null,
      instanceIds: ['i'],
      authorIds: null,
      templateIds: null,
    };
    const plans: WidgetPlan[] = [
      { id: '1', title: 'a', type: 'FIGURE', metric: 'MESSAGES', filter },
      { id: '2', title: 'b', type: 'SERIES', metric: 'MESSAGES', bucket: 'WEEK', filter },
      { id: '3', title: 'c', type: 'BREAKDOWN', metric: 'MESSAGES', dimension: 'ORIGIN', limit: 7, filter },
      { id: '4', title: 'd', type: 'TABLE', metrics: ['MESSAGES', 'READ_RATE'], dimension: 'AUTHOR', limit: 5, filter },
    ];

    it('is what is stored, without the fields of other types', () => {
      expect(plans.map(inputOfPlan)).toEqual(plans.map((plan) => ({ ...plan, filter: { instanceIds: ['i'] } })));
    });

    it('leaves out an empty filter and an id that it does not have yet', () => {
      expect(inputOf({ ...draftOf(), title: ' x ', filter: { ...draftOf().filter, sources: [' '] } })).toEqual({
        type: 'FIGURE',
        title: 'x',
        metric: 'MESSAGES_RECEIVED',
      });
    });

    it('has what the API refuses at its field; the rest at the form', () => {
      const problems = [
        { path: 'widgets.1.dimension', message: 'no' },
        { path: 'widgets.1.metrics.2', message: 'none' },
        { path: 'input.widgets.1.filter.sources.0', message: 'too long' },
        { path: 'widgets.0.bucket', message: 'of another' },
      ];
      expect(problemsOf(problems, 1)).toEqual({
        dimension: 'no',
        metrics: 'none',
        sources: 'too long',
        form: 'widgets.0.bucket: of another',
      });
    });

    it('moves by one place, and not beyond the ends', () => {
      expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
      const list = ['a', 'b'];
      expect(moved(list, 0, -1)).toBe(list);
      expect(moved(list, 1, 1)).toBe(list);
    });
  });
}
