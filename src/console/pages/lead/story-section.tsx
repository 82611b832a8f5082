// The line of time of a lead: messages, touches, notes, assignments, consent and merges, the newest first, and a field for a note.

import { useRef, useState } from 'react';
import { ask } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useCommands } from '../../app/commands.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Keys } from '../../parts/keys.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import { WriteNoteDocument, type WholeLeadFragment } from './operations.js';
import { StoryLine } from './story-line.js';
import { storyTexts } from './story-texts.js';
import { daysOf } from './story.js';
import styles from './story.module.css';
import { leadTexts } from './texts.js';
import { shownKinds, useStory, type ShownKind } from './use-story.js';

const maxNote = 10_000;

export function StorySection({ lead, onReload }: { lead: WholeLeadFragment; onReload: () => void }) {
  const texts = useTexts(storyTexts);
  const { more } = useTexts(leadTexts);
  const formats = useFormats();
  const [shown, setShown] = useState<ShownKind>('everything');
  const story = useStory(lead, shown);
  const { items, error, isLoading, hasMore, loadMore } = story;
  return (
    <section className={styles.story} aria-label={texts.story}>
      <div className={styles.kinds} role="group" aria-label={texts.shown}>
        {shownKinds.map((kind) => (
          <button key={kind} type="button" aria-pressed={kind === shown} onClick={() => setShown(kind)}>
            {texts[kind]}
            {kind !== 'everything' && <Count {...story.countOf(kind)} />}
          </button>
        ))}
      </div>
      <NoteField leadId={lead.id} onWritten={story.reloadNotes} />
      {daysOf(items).map(({ day, items: own }) => (
        <section key={day} className={styles.day}>
          <h2>{formats.day(day)}</h2>
          <ol>
            {own.map((item) => (
              <StoryLine key={`${item.kind} ${item.id}`} item={item} lead={lead} onReload={onReload} />
            ))}
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
  const [body, setBody] = useState('');
  const { isBusy, start } = useAction(async () => {
    await ask(WriteNoteDocument, { leadId, body });
    setBody('');
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
        onChange={({ target }) => setBody(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
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
