// The drawings and sentences of dashboard charts: ticks, lines, labels with room, marks and their addresses, CSV.

import { fileNameOf, toCsv } from '../../src/console/pages/dashboards/csv.js';
import {
  isEmpty,
  markWith,
  marksOf,
  targetOf,
  type Naming,
  type WidgetData,
  type WidgetPlan,
} from '../../src/console/pages/dashboards/marks.js';
import {
  bandsOf,
  heightOf,
  labelStride,
  lineOf,
  sparkPlaces,
  stepTo,
  shadeOf,
  ticksOf,
} from '../../src/console/pages/dashboards/scale.js';
import { metricNames } from '../../src/console/pages/dashboards/metric-rules.js';
import type { Metric } from '../../src/console/pages/dashboards/operations.js';
import { figureSummary, summaryOf, trendOf } from '../../src/console/pages/dashboards/summary.js';

const naming: Naming = {
  key: (_, key, label) => (key === null ? 'Nobody' : label),
  keyTick: (_, key) => key ?? '-',
  bucket: (_, start) => `on ${start.slice(0, 10)}`,
  bucketTick: (_, start) => start.slice(8, 10),
  period: (from, to) => `${from.slice(0, 10)} to ${to.slice(0, 10)}`,
  value: 'Value',
  rest: 'All others',
};

const words = {
  nothing: 'Nothing.',
  noValue: 'no value',
  sum: (value: string) => `Total ${value}.`,
  highest: (value: string, label: string) => `Highest ${value} ${label}.`,
  lowest: (value: string, label: string) => `Lowest ${value} ${label}.`,
  all: (value: string) => `All ${value}.`,
  before: (value: string, label: string) => `Before ${value} ${label}.`,
  values: (count: number) => `${count} values.`,
};
const print = (value: number | null) => String(value);

const filter = { sources: null, assigneeIds: null, adIds: null, instanceIds: null, authorIds: null, templateIds: null };
const base = { id: 'w', title: 'Received', filter };
const seriesPlan: WidgetPlan = { ...base, type: 'SERIES', metric: 'MESSAGES_RECEIVED', bucket: 'DAY' };

function seriesOf(...values: (number | null)[]): WidgetData {
  const points = values.map((value, index) => ({
    metric: 'MESSAGES_RECEIVED' as const,
    value,
    count: value ?? 0,
    total: value ?? 0,
    start: `2026-11-0${index + 1}T00:00:00.000Z`,
    end: `2026-11-0${index + 2}T00:00:00.000Z`,
  }));
  return { id: 'w', series: { points } };
}

const breakdownPlan: WidgetPlan = {
  ...base,
  type: 'BREAKDOWN',
  metric: 'LEADS_CREATED',
  dimension: 'ASSIGNEE',
  limit: 2,
};
const measure = (value: number | null, total = value ?? 0) => ({
  metric: 'LEADS_CREATED' as const,
  value,
  count: total,
  total,
});
const breakdown: WidgetData = {
  id: 'w',
  breakdown: {
    slices: [
      { ...measure(5), key: 'a:b', label: 'Ana' },
      { ...measure(2), key: null, label: 'unassigned' },
    ],
    other: measure(9),
  },
};

export function describeDashboardCharts() {
  describe('scales', () => {
    it.each([
      [0, 'COUNT', [0, 1]],
      [1, 'COUNT', [0, 1]],
      [3, 'COUNT', [0, 1, 2, 3]],
      [122, 'COUNT', [0, 50, 100, 150]],
      [1_000, 'COUNT', [0, 250, 500, 750, 1_000]],
      [0.074, 'RATIO', [0, 0.02, 0.04, 0.06, 0.08]],
      [1, 'RATIO', [0, 0.25, 0.5, 0.75, 1]],
      [320, 'SECONDS', [0, 120, 240, 360]],
      [86_400, 'SECONDS', [0, 21_600, 43_200, 64_800, 86_400]],
    ] as const)('ticks up to %p %s are %p', (max, unit, ticks) => {
      expect(ticksOf(max, unit)).toEqual(ticks);
    });

    it('the last tick is at least the highest value, and there are five at most', () => {
      for (const unit of ['COUNT', 'RATIO', 'SECONDS'] as const)
        for (let max = 0.001; max < 1e9; max *= 1.37) {
          const ticks = ticksOf(max, unit);
          expect(ticks.at(-1)).toBeGreaterThanOrEqual(max * (1 - 1e-9));
          expect(ticks.length).toBeLessThanOrEqual(5);
        }
    });

    it('bands stand side by side within the width, also where there are many', () => {
      for (const count of [1, 7, 30, 400]) {
        const bands = bandsOf(count, 300);
        const last = bands.at(-1)!;
        expect(bands).toHaveLength(count);
        expect(last.x + last.width).toBeLessThanOrEqual(300 + 0.5);
        expect(bands.every((band, index) => index === 0 || band.x > bands[index - 1]!.x)).toBe(true);
      }
    });

    it('a value has its height, and none beyond the chart', () => {
      expect([heightOf(5, 10, 200), heightOf(null, 10, 200), heightOf(20, 10, 200), heightOf(1, 0, 200)]).toEqual([
        100, 0, 200, 0,
      ]);
    });

    it('a line breaks where there is no value, and a value alone is no line', () => {
      const at = (...ys: (number | null)[]) => lineOf(ys.map((y, x) => ({ x, y })));
      expect(at(1, 2, null, 4, 5)).toBe('M0 1L1 2M3 4L4 5');
      expect(at(null, 2, null)).toBe('');
      expect(at()).toBe('');
    });

    it('the course of a figure begins at 0 of its scale, and breaks where there is no value', () => {
      const size = { width: 104, height: 24, edge: 2 };
      expect(lineOf(sparkPlaces([0, 5, 10, null, 10, 5], size))).toBe('M2 22L22 12L42 2M82 2L102 12');
      expect(lineOf(sparkPlaces([0, 0, 0], size))).toBe('M2 22L52 22L102 22');
      for (const values of [[], [3], [null, 4, null]]) expect(lineOf(sparkPlaces(values, size))).toBe('');
    });

    it('darken with the value, and only nothing has no shade', () => {
      expect([null, 0, 1, 20, 21, 99, 100].map((value) => shadeOf(value, 100))).toEqual([0, 0, 1, 1, 2, 5, 5]);
      expect(shadeOf(0, 0)).toBe(0);
    });

    it('labels keep their distance', () => {
      expect([labelStride(7, 700, 60), labelStride(30, 300, 60), labelStride(400, 10, 60)]).toEqual([1, 6, 400]);
    });

    it('arrow keys go on in rows and columns, and stay at the edge', () => {
      expect(['ArrowRight', 'ArrowDown', 'Home', 'End', 'ArrowLeft', 'x'].map((key) => stepTo(key, 0, 6, 3))).toEqual([
        1,
        3,
        0,
        5,
        0,
        undefined,
      ]);
      expect([stepTo('ArrowUp', 4, 6, 3), stepTo('ArrowDown', 4, 6, 3), stepTo('ArrowDown', 1, 6)]).toEqual([1, 4, 2]);
    });
  });

  describe('marks', () => {
    it('of a series carry their bucket, and their address says which it is', () => {
      const marks = marksOf(seriesPlan, seriesOf(1, null), naming);
      expect(marks).toMatchObject([
        { id: 'at:2026-11-01T00:00:00.000Z', label: 'on 2026-11-01', tick: '01', value: 1, unit: 'COUNT' },
        { label: 'on 2026-11-02', value: null },
      ]);
      expect(targetOf(marks[0]!.id)).toEqual({ kind: 'point', at: '2026-11-01T00:00:00.000Z' });
    });

    it('of a breakdown are its slices and the rest', () => {
      const marks = marksOf(breakdownPlan, breakdown, naming);
      expect(marks.map(({ label, isRest }) => [label, isRest])).toEqual([
        ['Ana', false],
        ['Nobody', false],
        ['All others', true],
      ]);
      expect(marks.map(({ id }) => targetOf(id))).toEqual([
        { kind: 'slice', key: 'a:b' },
        { kind: 'slice', key: null },
        { kind: 'other' },
      ]);
      expect(markWith(marks, 'none')?.value).toBe(2);
      expect(markWith(marks, 'key:gone')).toBeUndefined();
    });

    it('of a figure are the value and the one before, where there is one', () => {
      const plan: WidgetPlan = { ...base, type: 'FIGURE', metric: 'LEADS_CREATED' };
      const previous = { ...measure(3), from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' };
      const both = marksOf(plan, { id: 'w', figure: { ...measure(6), previous, course: null } }, naming);
      expect(both.map(({ id, label }) => [id, label])).toEqual([
        ['value', 'Value'],
        ['previous', '2026-10-01 to 2026-11-01'],
      ]);
      expect(trendOf(both[0]!, both[1])).toEqual({ direction: 'up', isGood: true, amount: 3, isShare: false });
      expect(marksOf(plan, { id: 'w', figure: { ...measure(6), previous: null, course: null } }, naming)).toHaveLength(
        1,
      );
    });

    it('of a table stand line by line; two columns of one metric are one', () => {
      const plan: WidgetPlan = {
        ...base,
        type: 'TABLE',
        metrics: ['LEADS_CREATED', 'LEADS_CREATED', 'SPEED_TO_LEAD'],
        dimension: 'SOURCE',
        limit: 10,
      };
      const late = { ...measure(60), metric: 'SPEED_TO_LEAD' as const };
      const lines = [{ key: 'ads', label: 'ads', cells: [measure(1), measure(1), late] }];
      const marks = marksOf(plan, { id: 'w', table: { lines, omittedCount: 0 } }, naming);
      expect(marks.map(({ id }) => targetOf(id))).toEqual([
        { kind: 'cell', metric: 'LEADS_CREATED', key: 'ads' },
        { kind: 'cell', metric: 'SPEED_TO_LEAD', key: 'ads' },
      ]);
    });

    it.each(['', 'x', 'at:never', 'cell:MESSAGES', 'cell:MESSAGES:x'])('%p is no address of a mark', (id) => {
      expect(targetOf(id)).toBeUndefined();
    });
  });

  describe('sentences', () => {
    const say = (data: WidgetData) =>
      summaryOf({ title: 'Received', marks: marksOf(seriesPlan, data, naming), words, print });

    it('name the sum, the highest and the lowest value', () => {
      expect(say(seriesOf(3, 8, 1))).toBe(
        'Received: 3 values. Total 12. Highest 8 on 2026-11-02. Lowest 1 on 2026-11-03.',
      );
    });

    it('say that there is nothing, and that all are equal', () => {
      expect(say(seriesOf(0, 0))).toBe('Received: Nothing.');
      expect(isEmpty(marksOf(seriesPlan, seriesOf(0, 0), naming))).toBe(true);
      expect(say(seriesOf())).toBe('Received: Nothing.');
      expect(say(seriesOf(2, 2))).toBe('Received: 2 values. Total 4. All 2.');
    });

    it('of a breakdown never call the rest the highest', () => {
      const marks = marksOf(breakdownPlan, breakdown, naming);
      expect(summaryOf({ title: 'Leads', marks, words, print })).toBe(
        'Leads: 3 values. Total 16. Highest 5 Ana. Lowest 2 Nobody.',
      );
    });

    it('of a figure name the time before; nothing is said of a change from nothing', () => {
      const plan: WidgetPlan = { ...base, type: 'FIGURE', metric: 'LEADS_CREATED' };
      const previous = { ...measure(0), from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' };
      const marks = marksOf(plan, { id: 'w', figure: { ...measure(null), previous, course: null } }, naming);
      expect(figureSummary({ title: 'Leads', marks, words, print })).toBe(
        'Leads: no value. Before 0 2026-10-01 to 2026-11-01.',
      );
      expect(trendOf(marks[0]!, marks[1])).toBeUndefined();
    });

    describe('of a change', () => {
      const figureOf = (metric: Metric, value: number | null, total = 10) => {
        const plan: WidgetPlan = { ...base, type: 'FIGURE', metric };
        const own = { metric, value, count: 0, total };
        const [mark] = marksOf(plan, { id: 'w', figure: { ...own, previous: null, course: null } }, naming);
        return mark!;
      };
      const trend = (metric: Metric, now: number | null, before: number | null, total?: number) =>
        trendOf(figureOf(metric, now), figureOf(metric, before, total));

      it('counts are shares, and small ones are counts; ratios are points, times are seconds', () => {
        expect(trend('MESSAGES', 12, 10)).toEqual({ direction: 'up', isGood: undefined, amount: 0.2, isShare: true });
        expect(trend('MESSAGES', 12, 9)).toEqual({ direction: 'up', isGood: undefined, amount: 3, isShare: false });
        expect(trend('READ_RATE', 0.25, 0.75)).toMatchObject({ direction: 'down', isGood: false, amount: 50 });
        expect(trend('RESPONSE_TIME_MEDIAN', 60, 170)).toMatchObject({ direction: 'down', isGood: true, amount: 110 });
      });

      it('more is good or bad by what is counted', () => {
        const isMoreGood = (metric: Metric) => trend(metric, 2, 1)?.isGood;
        expect(metricNames.filter((metric) => isMoreGood(metric) === true)).toEqual([
          'LEADS_CREATED',
          'DELIVERED_RATE',
          'READ_RATE',
        ]);
        expect(metricNames.filter((metric) => isMoreGood(metric) === undefined)).toEqual([
          'MESSAGES',
          'MESSAGES_RECEIVED',
          'MESSAGES_ACCEPTED',
          'MESSAGES_SENT',
          'QUEUE_DEPTH',
          'CONVERSATIONS_WAITING',
          'LONGEST_WAIT',
        ]);
      });

      it('what cannot be told apart in print is no change', () => {
        const same = { direction: 'same', isGood: undefined, amount: 0 };
        expect(trend('LEADS_CREATED', 5, 5)).toMatchObject(same);
        expect(trend('FAILED_RATE', 0.1, 0.1004)).toMatchObject(same);
        expect(trend('SPEED_TO_LEAD', 30.4, 30)).toMatchObject(same);
      });

      it('nothing before is nothing to compare with, but a ratio of 0 is one', () => {
        expect(trend('LEADS_CREATED', 5, 0)).toBeUndefined();
        expect(trend('FAILED_RATE', 0.1, 0, 0)).toBeUndefined();
        expect(trend('FAILED_RATE', null, 0.1)).toBeUndefined();
        expect(trend('FAILED_RATE', 0.1, 0)).toMatchObject({ direction: 'up', isGood: false, amount: 10 });
      });
    });
  });

  describe('CSV', () => {
    it('quotes what needs it, and defuses formulas', () => {
      expect(
        toCsv([
          ['a', 'b'],
          ['x,"y"', -1.5],
          ['=1+1', null],
          ['a;=2', '+55'],
        ]),
      ).toBe('\uFEFFa,b\r\n"x,""y""",-1.5\r\n\'=1+1,\r\n"a;\'=2",\'+55\r\n');
    });

    it('is named by its title, whatever that is', () => {
      expect(fileNameOf('Origem: anúncios / mês', '2026-11-23')).toBe('Origem-anuncios-mes-2026-11-23.csv');
      expect(fileNameOf('../..', '2026-11-23')).toBe('widget-2026-11-23.csv');
    });
  });
}
