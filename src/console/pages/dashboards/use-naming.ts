// Formats and names in the user's language and the reading's time zone.

import { useMemo } from 'react';
import { localeOf, useLanguage, useTexts } from '../../i18n/language.js';
import { nameOfSource } from '../../parts/source-name.js';
import type { Naming } from './marks.js';
import type { Dimension } from './operations.js';
import { dashboardTexts } from './texts.js';
import { keyLabel, valueFormatsOf, type ValueFormats } from './value-formats.js';
import { widgetTexts } from './widget-texts.js';

export function useNaming(zone: string): { formats: ValueFormats; naming: Naming } {
  const language = useLanguage();
  const texts = useTexts(dashboardTexts);
  const words = useTexts(widgetTexts);
  return useMemo(() => {
    const formats = valueFormatsOf(localeOf[language], zone);
    const { nobody, noAuthor, received, none } = words;
    const keyWords = { nobody, noAuthor, received, none, known: words as unknown as Record<string, string> };
    const key = (length: 'long' | 'short') => (dimension: Dimension, value: string | null, label: string) =>
      keyLabel(
        { dimension, key: value, label: dimension === 'SOURCE' ? nameOfSource(label) : label },
        keyWords,
        formats,
        length,
      );
    const naming: Naming = {
      key: key('long'),
      keyTick: key('short'),
      bucket: (...given) => formats.bucket(...given),
      bucketTick: (...given) => formats.bucketTick(...given),
      period: (...given) => formats.period(...given),
      value: texts.value,
      rest: texts.rest,
    };
    return { formats, naming };
  }, [language, zone, texts, words]);
}
