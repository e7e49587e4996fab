import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type ReactNode } from 'react';
import classes from './virtual-rows.module.css';

interface Props {
  label: string;
  /** Of each column; its class sets the width. */
  columns: readonly { key: string; title: string; className?: string }[];
  count: number;
  /** The cells of a row, in the order of the columns. */
  cells: (index: number) => readonly ReactNode[];
  keyOf: (index: number) => string | number;
  empty: string;
  onRow?: (index: number) => void;
}

const ROW_HEIGHT = 37;

/** A table of any length, of which only what is seen is in the document. On a phone the cells of a row stand below each other. */
export function VirtualRows({ label, columns, count, cells, keyOf, empty, onRow }: Props) {
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    getItemKey: keyOf,
  });
  return (
    <div
      ref={scroll}
      role="table"
      aria-label={label}
      aria-rowcount={count + 1}
      tabIndex={0}
      className={classes.scroll}
    >
      <div role="rowgroup" className={classes.head}>
        <div role="row" aria-rowindex={1} className={classes.row}>
          {columns.map(({ key, title, className }) => (
            <div key={key} role="columnheader" className={className}>
              {title}
            </div>
          ))}
        </div>
      </div>
      {count === 0 && <p className={classes.empty}>{empty}</p>}
      <div role="rowgroup" className={classes.body} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => (
          <div
            key={key}
            ref={rows.measureElement}
            data-index={index}
            role="row"
            aria-rowindex={index + 2}
            className={`${classes.row} ${classes.placed}`}
            style={{ transform: `translateY(${start}px)` }}
            onClick={onRow && (() => onRow(index))}
          >
            {cells(index).map((cell, n) => (
              <div key={columns[n]?.key} role="cell" className={columns[n]?.className}>
                {cell}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
