// Finds messages by words of their text, their caption or their file's name: in the table of words, and in what is not there yet. Finds
// notes by the same words, in an index of their own.

import { SqlValues, type SqlText } from '../../platform/database/sql-text.js';
import { notesWhose } from '../leads/notes/lead-note.sql.js';
import { maxWordLength, type SearchedWords } from './searched-words.js';
import { changesWords } from './word-index.sql.js';

/** The newest words of a tenant, which are looked through first: a word that many messages have is found there. */
const newestLookedThrough = 500;
/**
 * The words that are looked through next, for what at least `fewFound` of the newest have. The index would list all messages that ever had
 * it, and read each of them: among years of messages that takes longer.
 */
const laterLookedThrough = 20_000;
const fewFound = 3;
/**
 * The newest events whose messages are looked through, because their words may not be in the table yet: those after the progress, and all
 * while earlier messages come in.
 */
const newestEvents = 2_000;
/** Edited messages are left out of the hits: so many more are taken from the table. */
const spare = 50;

/** The characters of the tenant's mark before each word. */
const markLength = 8;

/** A word of one character has to be the whole word: too many words begin with it. */
const conditionOfWords = (
  words: string,
) => `(SELECT string_agg('''' || word || '''' || CASE WHEN length(word) > ${markLength + 1} THEN ':*' ELSE '' END, ' & ')
      FROM (SELECT DISTINCT left(word, ${markLength + maxWordLength}) AS word FROM unnest(${words}::text[]) AS said,
        unnest(tsvector_to_array(words_of_message($1, said, NULL))) AS word
        WHERE substr(word, ${markLength + 1}, 1) <> 'N') found)`;

/** A number is found by its first digits, or by its last eight. */
const conditionOfNumber = (digits: string) =>
  `'''' || right($1::uuid::text, ${markLength}) || ${digits}::text || ''':* | ''' || right($1::uuid::text, ${markLength}) || 'N' || right(${digits}::text, 8) || ''''`;

const asked = '(SELECT query FROM asked)';

/** The tenant is $1. */
function askedFor({ words, digits }: SearchedWords, use: SqlValues['use']): string {
  const either = [conditionOfWords(use(words)), ...(digits === undefined ? [] : [conditionOfNumber(use(digits))])];
  return `asked AS MATERIALIZED (SELECT concat_ws(' | ', ${either.join(', ')})::tsquery AS query)`;
}

/** Selects the notes with all of these words, or with this number, the newest first. */
export function findNotes(tenantId: string, words: SearchedWords, limit: number): SqlText {
  const { list, use } = new SqlValues();
  use(tenantId);
  const found = notesWhose((said) => `${said} @@ ${asked}`);
  const text = `WITH ${askedFor(words, use)} ${found} LIMIT ${use(limit)}`;
  return { text, values: list };
}

/**
 * Selects the ids of messages with all of these words, or with this number, the newest first. The tenant's mark is part of each word, so
 * the index reads the words of one tenant alone. The subquery with OFFSET keeps other indexes of the tenant's messages out of the plan. The
 * message itself decides: an edited or deleted one may have other words than the table.
 */
export function findMessages(tenantId: string, { words, digits }: SearchedWords, limit: number): SqlText {
  const { list, use } = new SqlValues();
  const tenant = use(tenantId);
  const most = use(limit);
  const text = `WITH ${askedFor({ words, digits }, use)}, changed AS MATERIALIZED (
      SELECT DISTINCT e.message_id AS id FROM (
        SELECT type, message_id FROM events WHERE tenant_id = ${tenant} AND seq > coalesce((
          SELECT last_seq FROM message_word_progress WHERE tenant_id = ${tenant} AND earlier_than IS NULL
        ), 0) ORDER BY seq DESC LIMIT ${newestEvents}
      ) e WHERE ${changesWords} AND e.message_id IS NOT NULL
    ), newest AS MATERIALIZED (
      SELECT n.id FROM (
        SELECT message_id AS id, words FROM message_words WHERE tenant_id = ${tenant} ORDER BY message_id DESC LIMIT ${newestLookedThrough}
      ) n WHERE n.words @@ ${asked} ORDER BY n.id DESC LIMIT ${most} + ${spare}
    ), later AS MATERIALIZED (
      SELECT n.id FROM (
        SELECT message_id AS id, words FROM message_words WHERE tenant_id = ${tenant} ORDER BY message_id DESC LIMIT ${laterLookedThrough}
      ) n WHERE n.words @@ ${asked} AND (SELECT count(*) FROM newest) BETWEEN ${fewFound} AND ${most} + ${spare - 1}
      ORDER BY n.id DESC LIMIT ${most} + ${spare}
    ), older AS MATERIALIZED (
      SELECT o.id FROM (
        SELECT w.tenant_id, w.message_id AS id FROM message_words w
        WHERE w.words @@ ${asked} AND greatest((SELECT count(*) FROM newest), (SELECT count(*) FROM later)) < ${most} + ${spare} OFFSET 0
      ) o WHERE o.tenant_id = ${tenant} ORDER BY o.id DESC LIMIT ${most} + ${spare}
    ), likely AS MATERIALIZED (
      SELECT id FROM changed UNION SELECT id FROM newest UNION SELECT id FROM later UNION SELECT id FROM older
    )
    SELECT l.id FROM (SELECT id FROM likely ORDER BY id DESC OFFSET 0) l CROSS JOIN LATERAL (
      SELECT FROM messages m WHERE m.tenant_id = ${tenant} AND m.id = l.id
        AND words_of_message(m.tenant_id, m.body, m.media) @@ ${asked} OFFSET 0
    ) said ORDER BY l.id DESC LIMIT ${most}`;
  return { text, values: list };
}
