// The choice of an emoji for the text of an answer. Its data is ours: no other host is asked.

import { Popover } from '@base-ui/react/popover';
import { EmojiPicker as Picker, type EmojiData, type EmojiPickerListProps } from 'frimousse';
import { useRef, useState, type AriaAttributes, type RefObject } from 'react';
import { typeOn } from '../../app/typed-ahead.js';
import { useIsTouch } from '../../app/use-media.js';
import { useLanguage, useTexts, type Language } from '../../i18n/language.js';
import { useBackCloses } from '../../parts/back-closes.js';
import { emojiTexts } from './emoji-texts.js';
import styles from './emoji.module.css';

export interface EmojiPickerProps {
  /** The button that opens it. */
  anchor: RefObject<HTMLButtonElement | null>;
  onChoose: (emoji: string) => void;
  /** Is called when it is closed without a choice. @param isByKey whether the focus has to go somewhere */
  onClose: (isByKey: boolean) => void;
}

const reading: Record<Language, () => Promise<{ emojis: EmojiData['emojis'] }>> = {
  en: () => import('virtual:emoji-en'),
  pt: () => import('virtual:emoji-pt'),
  es: () => import('virtual:emoji-es'),
};

export function EmojiPicker({ anchor, onChoose, onClose }: EmojiPickerProps) {
  const texts = useEmojiTexts();
  const language = useLanguage();
  const [hasFailed, setFailed] = useState(false);
  const isTouch = useIsTouch();
  const popup = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useBackCloses(true, () => onClose(false));
  const read = async (): Promise<EmojiData> => {
    try {
      const { emojis } = await reading[language]();
      return { locale: language, emojis, categories: groupsOf(texts), skinTones: tonesOf(texts) };
    } catch (error) {
      setFailed(true);
      throw error;
    }
  };
  const takeTyped = () => {
    if (search.current !== null) typeOn(search.current);
    return false;
  };
  return (
    <Popover.Root
      open
      onOpenChange={(_isWanted, { reason, event }) => {
        // A press on its button closes it by the click that follows.
        const target = event instanceof FocusEvent ? event.relatedTarget : event.target;
        const isOwnButton = target instanceof Node && anchor.current?.contains(target) === true;
        // A press that gives the focus to nothing is told as a press too.
        const isNowhere = event instanceof FocusEvent && target === null;
        if (!isOwnButton && !isNowhere) onClose(reason === 'escape-key');
      }}
    >
      <Popover.Portal>
        <Popover.Positioner className={styles.positioner ?? ''} anchor={anchor} side="top" align="start" sideOffset={8}>
          <Popover.Popup
            ref={popup}
            className={styles.popup ?? ''}
            aria-label={texts.title}
            // The keyboard of a touch screen would cover the emoji.
            initialFocus={isTouch ? popup : takeTyped}
            finalFocus={false}
          >
            <Picker.Root
              className={styles.picker ?? ''}
              locale={language}
              columns={isTouch ? 8 : 9}
              resolveEmojiData={read}
              onEmojiSelect={({ emoji }) => onChoose(emoji)}
            >
              <div className={styles.head}>
                <Picker.Search
                  ref={search}
                  type="text"
                  autoFocus={!isTouch}
                  className={styles.search}
                  aria-label={texts.search}
                  placeholder={texts.search}
                />
                <Picker.SkinToneSelector className={styles.tone} aria-label={texts.tone} title={texts.tone} />
              </div>
              <Picker.Viewport className={styles.viewport}>
                {hasFailed ? (
                  <p role="alert" className={styles.said}>
                    {texts.failed}
                  </p>
                ) : (
                  <Picker.Loading className={styles.said}>{texts.loading}</Picker.Loading>
                )}
                <Picker.Empty className={styles.said}>{texts.nothing}</Picker.Empty>
                <Picker.List className={styles.list} components={listParts} />
              </Picker.Viewport>
              <p className={styles.name}>
                <Picker.ActiveEmoji>{({ emoji }) => emoji?.label ?? ''}</Picker.ActiveEmoji>
              </p>
            </Picker.Root>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

const listParts: EmojiPickerListProps['components'] = {
  CategoryHeader: ({ category, ...rest }) => (
    <div {...rest} className={styles.group}>
      {category.label}
    </div>
  ),
  Row: (row) => <div {...row} {...counted(row)} className={styles.row} />,
  Emoji: ({ emoji, ...rest }) => (
    <button {...rest} {...counted(rest)} className={styles.emoji} data-active={emoji.isActive || undefined}>
      {emoji.emoji}
    </button>
  ),
};

/** The library counts rows and columns from 0, and assistive technology from 1. */
const counted = ({ 'aria-rowindex': row, 'aria-colindex': column }: AriaAttributes) => ({
  ...(row !== undefined && { 'aria-rowindex': row + 1 }),
  ...(column !== undefined && { 'aria-colindex': column + 1 }),
});

type EmojiTexts = ReturnType<typeof useEmojiTexts>;

const useEmojiTexts = () => useTexts(emojiTexts);

/** The groups by the numbers that the data has for them. */
function groupsOf(texts: EmojiTexts): EmojiData['categories'] {
  const { faces, people, animals, food, travel, activities, objects, symbols, flags } = texts;
  // Parts of other emoji are the group 2.
  const labels = [faces, people, undefined, animals, food, travel, activities, objects, symbols, flags];
  return labels.flatMap((label, index) => (label === undefined ? [] : [{ index, label }]));
}

function tonesOf({ light, mediumLight, medium, mediumDark, dark }: EmojiTexts): EmojiData['skinTones'] {
  return { light, 'medium-light': mediumLight, medium, 'medium-dark': mediumDark, dark };
}
