// Puts the parts of the search together.

import type { Foundation } from '../../platform/foundation.js';
import { SearchService, type SearchOptions } from './search.service.js';
import { WordIndexService } from './word-index.service.js';

export function createSearch({ database, log }: Foundation, known: Pick<SearchOptions, 'leads' | 'messages'>) {
  const { leads, messages } = known;
  return {
    search: new SearchService({ database, leads, messages }),
    wordIndex: new WordIndexService({ database, log }),
  };
}
