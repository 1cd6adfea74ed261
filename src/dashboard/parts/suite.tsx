import type { JSX } from 'preact';

/** The name of an SRTP suite, with line breaks allowed between its components. */
export function Suite({ name }: { name: string }): JSX.Element {
  return (
    <>
      {name.split(/(?<=_)/).map((part) => (
        <span key={part}>
          {part}
          <wbr />
        </span>
      ))}
    </>
  );
}
