import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icons.js';

const shownMilliseconds = 2_000;

/** Outside HTTPS and localhost the clipboard API is missing, but a selection can still be copied. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'unseen';
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    return isCopied;
  }
}

interface CopyProps {
  readonly text: string | (() => string | Promise<string>);
  /** Names the copied value for screen readers, which do not convey what the button is next to. */
  readonly what: string;
  readonly label?: string;
  /** Shows only the icon, for buttons in a list of values. */
  readonly isBare?: boolean;
}

export function Copy({ text, what, label = 'Copy', isBare = false }: CopyProps): JSX.Element {
  const [result, setResult] = useState<'copied' | 'failed' | undefined>();
  useEffect(() => {
    if (result === undefined) return;
    const timer = setTimeout(() => setResult(undefined), shownMilliseconds);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async (): Promise<void> => {
    try {
      const content = typeof text === 'string' ? text : await text();
      setResult((await copyText(content)) ? 'copied' : 'failed');
    } catch {
      setResult('failed');
    }
  };
  const shown = result === 'copied' ? 'Copied' : result === 'failed' ? 'Copying failed' : label;
  return (
    <button
      type="button"
      class={isBare ? 'bare small' : 'small'}
      onClick={copy}
      aria-label={`${shown}: ${what}`}
      title={isBare ? `${label} ${what}` : undefined}
    >
      <Icon name={result === 'copied' ? 'done' : 'copy'} />
      <span aria-live="polite" class={isBare && result === undefined ? 'unseen' : ''}>
        {shown}
      </span>
    </button>
  );
}
