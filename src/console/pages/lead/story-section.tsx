// The line of time of a lead: messages, touches, notes, assignments, consent and merges, from either end, and a field for a note.

import { Fragment, useRef, useState } from 'react';
import { ask } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useCommands } from '../../app/commands.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { useBegunNote } from '../../live/begun-notes.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Keys } from '../../parts/keys.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import { WriteNoteDocument, type WholeLeadFragment } from './operations.js';
import { FoldLine, StoryLine } from './story-line.js';
import { storyTexts } from './story-texts.js';
import { daysOf, rowsOf, type StoryEvent, type StoryOrder } from './story.js';
import styles from './story.module.css';
import { leadTexts } from './texts.js';
import { shownKinds, useStory, type ShownKind } from './use-story.js';

const maxNote = 10_000;
const orderKey = 'leadwire.story-order';

export function StorySection({ lead, onReload }: { lead: WholeLeadFragment; onReload: () => void }) {
  const texts = useTexts(storyTexts);
  const { more } = useTexts(leadTexts);
  const formats = useFormats();
  const [shown, setShown] = useState<ShownKind>('everything');
  const [order, setOrder] = useState<StoryOrder>(() =>
    localStorage.getItem(orderKey) === 'oldestFirst' ? 'oldestFirst' : 'newestFirst',
  );
  const [unfolded, setUnfolded] = useState<readonly string[]>([]);
  const story = useStory(lead, shown, order);
  const { items, error, isLoading, hasMore, loadMore } = story;
  const lineOf = ({ item, isFollowUp }: StoryEvent) => (
    <StoryLine key={`${item.kind} ${item.id}`} {...{ item, isFollowUp, lead, onReload }} />
  );
  return (
    <section className={styles.story} aria-label={texts.story}>
      <div className={styles.kinds} role="group" aria-label={texts.shown}>
        {shownKinds.map((kind) => (
          <button key={kind} type="button" aria-pressed={kind === shown} onClick={() => setShown(kind)}>
            {texts[kind]}
            {kind !== 'everything' && <Count {...story.countOf(kind)} />}
          </button>
        ))}
        <select
          aria-label={texts.order}
          value={order}
          onChange={({ target }) => {
            const chosen = target.value === 'oldestFirst' ? 'oldestFirst' : 'newestFirst';
            localStorage.setItem(orderKey, chosen);
            setOrder(chosen);
          }}
        >
          {(['newestFirst', 'oldestFirst'] as const).map((one) => (
            <option key={one} value={one}>
              {texts[one]}
            </option>
          ))}
        </select>
      </div>
      <NoteField leadId={lead.id} onWritten={story.reloadNotes} />
      {daysOf(items).map(({ day, items: own }) => (
        <section key={day} className={styles.day}>
          <h2>{formats.day(day)}</h2>
          <ol>
            {rowsOf(own, order).flatMap((row) =>
              row.kind === 'event' ? (
                lineOf(row)
              ) : (
                <Fragment key={`fold ${row.id}`}>
                  <FoldLine
                    {...row}
                    order={order}
                    isOpen={unfolded.includes(row.id)}
                    onToggle={(isOpen) =>
                      setUnfolded(isOpen ? [...unfolded, row.id] : unfolded.filter((one) => one !== row.id))
                    }
                  />
                  {unfolded.includes(row.id) && row.rows.map(lineOf)}
                </Fragment>
              ),
            )}
          </ol>
        </section>
      ))}
      {isLoading && items.length === 0 && <Loading />}
      {error !== undefined && <LoadFailed error={error} onRetry={story.reload} />}
      {!isLoading && items.length === 0 && error === undefined && <p className={styles.quiet}>{texts.nothing}</p>}
      {hasMore && items.length > 0 && (
        <Button className={styles.more ?? ''} isBusy={isLoading} onClick={loadMore}>
          {more}
        </Button>
      )}
    </section>
  );
}

/** Nothing is said of a kind that is not read yet, or has nothing. */
function Count({ count, isMore }: { count: number; isMore: boolean }) {
  const formats = useFormats();
  if (count === 0) return null;
  return (
    <>
      {' '}
      <small>
        {formats.number(count)}
        {isMore && '+'}
      </small>
    </>
  );
}

function NoteField({ leadId, onWritten }: { leadId: string; onWritten: () => void }) {
  const texts = useTexts(storyTexts);
  const { lead: group } = useTexts(leadTexts);
  const field = useRef<HTMLTextAreaElement>(null);
  const { body, write, save } = useBegunNote(leadId);
  const { isBusy, start } = useAction(async () => {
    await save((note) => ask(WriteNoteDocument, { leadId, body: note }));
    onWritten();
  });
  useCommands([{ id: 'note', title: texts.writeNote, keys: 'n', group, run: () => field.current?.focus() }]);
  const isEmpty = body.trim() === '';
  return (
    <form className={styles.write} action={() => void start()}>
      <Icon name="note" />
      <textarea
        ref={field}
        rows={1}
        aria-label={texts.writeNote}
        placeholder={texts.noteHint}
        maxLength={maxNote}
        dir="auto"
        value={body}
        onChange={({ target }) => write(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (!isEmpty) void start();
        }}
      />
      {isEmpty && (
        <span aria-hidden>
          <Keys keys="n" />
        </span>
      )}
      {!isEmpty && (
        <Button type="submit" kind="soft" isBusy={isBusy}>
          {texts.addNote}
        </Button>
      )}
    </form>
  );
}
