// Renders a guide. Each token becomes an element, so no text is ever interpreted as markup.

import { Link } from '@tanstack/react-router';
import type { Token, Tokens } from 'marked';
import { Fragment, useState, type ReactNode } from 'react';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import styles from './docs.module.css';
import { plainText } from './guide-text.js';
import { pictureAt, slugOf, targetOf } from './guides.js';
import { docsTexts } from './texts.js';

interface Context {
  /** The guide's name, for links to its own sections. */
  guide: string;
}

export function Markdown({ tokens, guide }: { tokens: readonly Token[] } & Context) {
  return <>{show(tokens, { guide })}</>;
}

function show(tokens: readonly Token[] | undefined, context: Context): ReactNode {
  return tokens?.map((token, index) => <Fragment key={index}>{showOne(token, context)}</Fragment>);
}

type Show = (token: never, context: Context) => ReactNode;

const elements: Record<string, Show> = {
  heading: showHeading,
  paragraph: ({ tokens }: Tokens.Paragraph, context) => <p>{show(tokens, context)}</p>,
  text: ({ text, tokens }: Tokens.Text, context) => (tokens === undefined ? unescape(text) : show(tokens, context)),
  escape: ({ text }: Tokens.Escape) => unescape(text),
  strong: ({ tokens }: Tokens.Strong, context) => <strong>{show(tokens, context)}</strong>,
  em: ({ tokens }: Tokens.Em, context) => <em>{show(tokens, context)}</em>,
  codespan: ({ text }: Tokens.Codespan) => <code>{unescape(text)}</code>,
  br: () => <br />,
  hr: () => <hr />,
  code: ({ text, lang }: Tokens.Code) => <CodeBlock text={text} language={lang} />,
  blockquote: ({ tokens }: Tokens.Blockquote, context) => <blockquote>{show(tokens, context)}</blockquote>,
  link: showLink,
  list: showList,
  table: showTable,
  // HTML comments are not shown. Other HTML is shown as text.
  html: () => null,
  image: showImage,
  space: () => null,
};

function showOne(token: Token, context: Context): ReactNode {
  const element = elements[token.type];
  return element === undefined ? token.raw : element(token as never, context);
}

function showHeading({ depth, tokens }: Tokens.Heading, context: Context): ReactNode {
  const id = slugOf(plainText(tokens));
  const content = show(tokens, context);
  if (depth === 1) return <h1 id={id}>{content}</h1>;
  if (depth === 2) return <h2 id={id}>{content}</h2>;
  return <h3 id={id}>{content}</h3>;
}

function showLink({ href, tokens }: Tokens.Link, context: Context): ReactNode {
  const content = show(tokens, context);
  const target = targetOf(href, context.guide);
  if (target !== undefined)
    return (
      <Link to="/docs/$page" params={{ page: target.page }} hash={target.hash}>
        {content}
      </Link>
    );
  const isElsewhere = /^https?:/.test(href);
  return isElsewhere ? (
    <a href={href} target="_blank" rel="noreferrer">
      {content}
    </a>
  ) : (
    content
  );
}

function showImage({ href, text }: Tokens.Image): ReactNode {
  const address = pictureAt(href);
  if (address === undefined) return text;
  return <img className={styles.picture} src={address} alt={text} loading="lazy" onLoad={markTall} />;
}

function markTall({ currentTarget }: { currentTarget: HTMLImageElement }): void {
  if (currentTarget.naturalHeight > currentTarget.naturalWidth) currentTarget.dataset['tall'] = '';
}

function showList({ ordered, start, items }: Tokens.List, context: Context): ReactNode {
  const content = items.map((item, index) => <li key={index}>{show(item.tokens, context)}</li>);
  return ordered ? <ol start={start === '' ? 1 : start}>{content}</ol> : <ul>{content}</ul>;
}

function showTable({ header, rows }: Tokens.Table, context: Context): ReactNode {
  // Tables on a page may have the same columns, so the accessible name includes the first cell.
  const columns = header.map(({ text }) => text).join(', ');
  const [[first] = []] = rows;
  return (
    <div className={styles.table} tabIndex={0} role="region" aria-label={`${columns}: ${first?.text ?? ''}`}>
      <table>
        <thead>
          <tr>
            {header.map(({ tokens }, index) => (
              <th key={index} scope="col">
                {show(tokens, context)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map(({ tokens }, index) => (
                <td key={index}>{show(tokens, context)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CodeBlock({ text, language }: { text: string; language: string | undefined }) {
  const texts = useTexts(docsTexts);
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), 2_000);
  };
  return (
    <div className={styles.code}>
      <pre tabIndex={0} aria-label={language}>
        <code>{text}</code>
      </pre>
      <Button kind="quiet" onClick={() => void copy()}>
        {isCopied ? texts.copied : texts.copy}
      </Button>
    </div>
  );
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

function unescape(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);
}
