// The words of a guide: its title, the sentence that says what it is about, and examples with an address of the reader's own.

import { lexer, type Token, type Tokens } from 'marked';

export interface GuideHead {
  name: string;
  title: string;
  /** The first sentence of the guide. */
  summary: string;
}

export function headOf(name: string, source: string): GuideHead {
  const tokens = lexer(source);
  const heading = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
  const opening = tokens.find((token): token is Tokens.Paragraph => token.type === 'paragraph');
  const [summary = ''] = sentencesOf(plainText(opening?.tokens));
  return { name, title: heading === undefined ? name : plainText(heading.tokens), summary };
}

export function plainText(tokens: readonly Token[] = []): string {
  return tokens
    .map((token) =>
      'tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? String(token.text) : '',
    )
    .join('');
}

/** Returns the sentences of a plain text. An abbreviation or a file's name does not end one. */
export function sentencesOf(text: string): string[] {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.!?…])\s+(?=[\p{Lu}\p{N}`'"(])/u)
    .filter((sentence) => sentence !== '');
}

const fence = /(^ *```[\s\S]*?^ *```$)/m;

/** Cuts a guide into prose and blocks of code, which stand at the odd places. */
export function atFences(source: string): string[] {
  return source.split(fence);
}

/**
 * Returns the guide with examples that run as they stand: with the reader's address in place of the variable that the tour of README.md
 * sets, and of addresses that stand for it.
 */
export function withAddress(source: string, address: string): string {
  return atFences(source)
    .map((part, index) => (index % 2 === 1 ? ownExample(part, address) : part))
    .join('')
    .replaceAll('https://leadwire.example', address);
}

/** Returns the guide with the tenant's API key in its examples. */
export function withKey(source: string, apiKey: string): string {
  return atFences(source)
    .map((part, index) => (index % 2 === 1 ? part.replaceAll(/\$KEY(?![A-Z_])/g, apiKey) : part))
    .join('');
}

function ownExample(code: string, address: string): string {
  return code
    .replaceAll(/\$U(?![A-Z_])/g, address)
    .replaceAll('http://localhost:4000', address)
    .replaceAll('"$J"', `'content-type: application/json'`);
}
