import { Fragment } from 'react';
import { readMarks, type TextPiece } from './whatsapp-text.format';

const TAGS = { bold: 'strong', italic: 'em', strike: 's', mono: 'code' } as const;

/** A text with WhatsApp's marks, as the customer sees it. */
export function WhatsappText({ text }: { text: string }) {
  return <Pieces pieces={readMarks(text)} />;
}

function Pieces({ pieces }: { pieces: readonly TextPiece[] }) {
  return pieces.map((piece, n) => {
    // A text does not change its pieces but as a whole.
    if (typeof piece === 'string') return <Fragment key={n}>{piece}</Fragment>;
    const Tag = TAGS[piece.mark];
    return (
      <Tag key={n}>
        <Pieces pieces={piece.inside} />
      </Tag>
    );
  });
}
