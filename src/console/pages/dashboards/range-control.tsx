// The range that a dashboard is read for: three usual ones in one field, and behind the last segment every other range and the time zone.
// The address has the choice; what is stored does not change.

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTexts } from '../../i18n/language.js';
import { FilterBar } from '../../parts/filter-bar.js';
import { rangeTexts } from '../../parts/range-texts.js';
import { Segments } from '../../parts/segments.js';
import type { DashboardPlanFragment } from './operations.js';
import { RangeFields, type RangeChoice } from './range-fields.js';
import { isDay, lastWeek, ownZone, rangeNames, type DashboardSearch } from './reading.js';
import { dashboardTexts } from './texts.js';

const usualRanges = ['7-days', '30-days', '90-days'] as const;
type UsualRange = (typeof usualRanges)[number];

const isUsual = (range: string): range is UsualRange => usualRanges.some((usual) => usual === range);

export interface RangeControl {
  segments: React.ReactNode;
  /** The fields of every other range; undefined while a usual one is chosen. */
  fields: React.ReactNode | undefined;
}

/** @param stored the dashboard as it is stored; undefined until it is read */
export function useRangeControl(
  id: string,
  search: DashboardSearch,
  stored: DashboardPlanFragment | undefined,
): RangeControl {
  const texts = useTexts(dashboardTexts);
  const ranges = useTexts(rangeTexts);
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const { range = '', since = '', until = '', zone = '' } = search;
  const choose = (change: Partial<RangeChoice>) => {
    const next: RangeChoice = { range, since, until, zone, ...change };
    if (next.range === 'custom' && next.zone === '') next.zone = stored?.timeZone ?? ownZone();
    if (next.range !== 'custom') Object.assign(next, { since: '', until: '' });
    else if (!isDay(next.since) && change.range !== undefined) Object.assign(next, lastWeek(Date.now(), next.zone));
    const given = Object.entries(next).filter(([, value]) => value !== '');
    void navigate({
      to: '/dashboards/$id',
      params: { id },
      search: Object.fromEntries(given),
      replace: true,
      resetScroll: false,
    });
  };
  const preset = stored?.range.preset ?? null;
  const storedRange = Object.entries(rangeNames).find(([, name]) => name === preset)?.[0] ?? '';
  const chosen = range === '' ? storedRange : range;
  const isOther = isOpen || zone !== '' || (!isUsual(chosen) && (range !== '' || stored !== undefined));
  const chooseSegment = (segment: UsualRange | 'other') => {
    setIsOpen(segment === 'other');
    if (segment !== 'other') choose({ range: segment === storedRange ? '' : segment, zone: '' });
  };
  return {
    segments: (
      <Segments
        label={texts.range}
        value={isOther ? 'other' : isUsual(chosen) ? chosen : undefined}
        options={[
          ...usualRanges.map((usual) => ({ value: usual, label: texts.days(Number.parseInt(usual, 10)) })),
          { value: 'other', label: texts.otherRange },
        ]}
        onChoose={chooseSegment}
      />
    ),
    fields: isOther ? (
      <FilterBar>
        <RangeFields
          choice={{ range, since, until, zone }}
          stored={{ range: preset === null ? texts.fixed : ranges[preset], zone: stored?.timeZone ?? '…' }}
          onChange={choose}
        />
      </FilterBar>
    ) : undefined,
  };
}
