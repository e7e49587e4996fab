import { Fragment } from 'react';
import {
  IconArrowBackUp,
  IconCopy,
  IconExternalLink,
  IconFileText,
  IconMapPin,
  IconPhone,
  IconPhoto,
  IconVideo,
} from '../ui/icons.view';
import { CustomerText } from '../ui/customer-text.view';
import type { Previewed } from './slot.rules';
import { templatePartWords } from './template-part.words';
import classes from './template-preview.module.css';

type Mark = 'bold' | 'italic' | 'struck' | 'code' | 'quote' | 'item';

/** A piece of a text as WhatsApp shows it. */
export type TextPiece = string | { mark: Mark; inside: TextPiece[] };

const MARKS = { '*': 'bold', _: 'italic', '~': 'struck' } as const;

/** Between marks stands a text of one line that neither begins nor ends with a blank; around them no letter or digit. */
const WITHIN_LINE =
  /`(?<code>[^`\n]+)`|(?<![\p{L}\p{N}])(?<sign>[*_~])(?!\s|\k<sign>)(?<marked>(?:(?!\k<sign>)[^\n])+?)(?<!\s)\k<sign>(?![\p{L}\p{N}])/u;
const ANYWHERE = new RegExp(
  ['```(?<block>[^]+?)```', '^> (?<quote>.*)', '^[*-] (?<item>.*)', WITHIN_LINE.source].join('|'),
  'gmu',
);
const IN_LINE = new RegExp(WITHIN_LINE.source, 'gu');

/** Reads WhatsApp's marks: *bold*, _italic_, ~struck~, `code`, ```code```, and the lines of quotes and lists. */
export const readMarks = (text: string): TextPiece[] => piecesOf(text, ANYWHERE);

function piecesOf(text: string, marks: RegExp): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(marks)) {
    if (match.index > from) pieces.push(text.slice(from, match.index));
    pieces.push(pieceOf(match.groups ?? {}));
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

function pieceOf({
  block,
  code,
  quote,
  item,
  sign,
  marked = '',
}: Partial<Record<string, string>>): TextPiece {
  const literal = block ?? code;
  if (literal !== undefined) return { mark: 'code', inside: [literal] };
  if (quote !== undefined) return { mark: 'quote', inside: piecesOf(quote, IN_LINE) };
  if (item !== undefined) return { mark: 'item', inside: piecesOf(item, IN_LINE) };
  return { mark: MARKS[sign as keyof typeof MARKS], inside: piecesOf(marked, IN_LINE) };
}

const TAGS = { bold: 'strong', italic: 'em', struck: 's', code: 'code' } as const;

/** A text with WhatsApp's marks, as the customer sees it. */
function WhatsappText({ text }: { text: string }) {
  return <Pieces pieces={readMarks(text)} />;
}

function Pieces({ pieces }: { pieces: readonly TextPiece[] }) {
  // A text does not change its pieces but as a whole.
  return pieces.map((piece, n) => <Piece key={n} piece={piece} />);
}

function Piece({ piece }: { piece: TextPiece }) {
  if (typeof piece === 'string') return <Fragment>{piece}</Fragment>;
  const inside = <Pieces pieces={piece.inside} />;
  if (piece.mark === 'quote') return <span className={classes.quote}>{inside}</span>;
  if (piece.mark === 'item') return <>• {inside}</>;
  const Tag = TAGS[piece.mark];
  return <Tag>{inside}</Tag>;
}

const MEDIA_ICONS = {
  image: IconPhoto,
  video: IconVideo,
  document: IconFileText,
  location: IconMapPin,
} as const;

const BUTTON_ICONS = {
  quick_reply: IconArrowBackUp,
  url: IconExternalLink,
  phone_number: IconPhone,
  copy_code: IconCopy,
  otp: IconCopy,
  other: IconFileText,
} as const;

/** A template as the customer sees it in WhatsApp. */
export function TemplatePreview({ header, body, footer, buttons }: Previewed) {
  const t = templatePartWords.use();
  return (
    <div className={classes.ground} data-preview>
      <div className={classes.bubble}>
        {header && header.format !== 'text' && header.format !== 'other' && <Media format={header.format} />}
        <div className={classes.words}>
          {header?.format === 'text' && header.text && (
            <CustomerText text={header.text} component="span" className={classes.header} />
          )}
          <span dir="auto" className={classes.body}>
            {body === '' ? t('emptyBody') : <WhatsappText text={body} />}
          </span>
          {footer && <CustomerText text={footer} component="span" className={classes.footer} />}
        </div>
        {buttons.length > 0 && (
          <ul className={classes.buttons}>
            {buttons.map(({ type, text }, index) => {
              const Icon = BUTTON_ICONS[type];
              return (
                <li key={index} className={classes.button}>
                  <Icon size={16} aria-hidden />
                  {type === 'copy_code' || (type === 'otp' && text === '') ? (
                    t('copyCode')
                  ) : (
                    <CustomerText text={text} />
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </div>
    </div>
  );
}

function Media({ format }: { format: keyof typeof MEDIA_ICONS }) {
  const t = templatePartWords.use();
  const Icon = MEDIA_ICONS[format];
  return (
    <div className={classes.media}>
      <Icon size={24} aria-hidden />
      {t(format)}
    </div>
  );
}
