// The rows behind a mark, page by page.

import { askAgain } from '../../api/client.js';
import type { MarkTarget } from './marks.js';
import {
  CellRowsDocument,
  FigureRowsDocument,
  OtherRowsDocument,
  PointRowsDocument,
  PreviousRowsDocument,
  SliceRowsDocument,
  type MarkRowsFragment,
  type Metric,
  type RowsOf,
} from './operations.js';
import type { Reading } from './reading.js';

export type RowsPage = MarkRowsFragment;
export type Row = MarkRowsFragment['edges'][number]['node'];

interface RowsQuestion extends Reading {
  id: string;
  widget: string;
  of: RowsOf;
  after?: string;
}

const noRows: RowsPage = { totalCount: 0, edges: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** Returns an empty page if the mark no longer exists. @throws RequestError */
export async function readRows(target: MarkTarget, question: RowsQuestion): Promise<RowsPage> {
  return (await read(target, question)) ?? noRows;
}

function read(target: MarkTarget, question: RowsQuestion): Promise<RowsPage | undefined> {
  if (target.kind === 'value') return ofFigure(question);
  if (target.kind === 'previous') return ofPrevious(question);
  if (target.kind === 'point') return ofPoint({ ...question, at: target.at });
  if (target.kind === 'slice') return ofSlice({ ...question, key: target.key });
  return target.kind === 'other' ? ofOther(question) : ofCell({ ...question, key: target.key, metric: target.metric });
}

async function ofFigure(question: RowsQuestion): Promise<RowsPage | undefined> {
  const widget = (await askAgain(FigureRowsDocument, question)).dashboard?.widget;
  return widget != null && 'figure' in widget ? widget.figure.rows : undefined;
}

async function ofPrevious(question: RowsQuestion): Promise<RowsPage | undefined> {
  const widget = (await askAgain(PreviousRowsDocument, question)).dashboard?.widget;
  return widget != null && 'figure' in widget ? widget.figure.previous?.rows : undefined;
}

async function ofPoint(question: RowsQuestion & { at: string }): Promise<RowsPage | undefined> {
  const widget = (await askAgain(PointRowsDocument, question)).dashboard?.widget;
  return widget != null && 'series' in widget ? widget.series.point?.rows : undefined;
}

async function ofSlice(question: RowsQuestion & { key: string | null }): Promise<RowsPage | undefined> {
  const widget = (await askAgain(SliceRowsDocument, question)).dashboard?.widget;
  return widget != null && 'breakdown' in widget ? widget.breakdown.slice?.rows : undefined;
}

async function ofOther(question: RowsQuestion): Promise<RowsPage | undefined> {
  const widget = (await askAgain(OtherRowsDocument, question)).dashboard?.widget;
  return widget != null && 'breakdown' in widget ? widget.breakdown.other?.rows : undefined;
}

async function ofCell(question: RowsQuestion & { key: string | null; metric: Metric }): Promise<RowsPage | undefined> {
  const widget = (await askAgain(CellRowsDocument, question)).dashboard?.widget;
  return widget != null && 'table' in widget ? widget.table.line?.cell?.rows : undefined;
}
