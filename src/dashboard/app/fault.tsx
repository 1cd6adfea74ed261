import { Component, type ComponentChildren } from 'preact';
import { Problem } from '../parts/notice.js';

interface FaultBarrierProps {
  /** Navigation to another page clears the error: that page may work. */
  readonly path: string;
  readonly children: ComponentChildren;
}

/** Error boundary: an error in one page must not break the others. */
export class FaultBarrier extends Component<FaultBarrierProps, { fault?: string | undefined }> {
  static override getDerivedStateFromError(error: unknown): { fault: string } {
    return { fault: error instanceof Error ? error.message : String(error) };
  }

  override componentDidUpdate({ path }: FaultBarrierProps): void {
    if (path !== this.props.path && this.state.fault !== undefined) this.setState({ fault: undefined });
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render(): ComponentChildren {
    const { fault } = this.state;
    if (fault === undefined) return this.props.children;
    return (
      <Problem title="This page failed">
        <p>{fault}</p>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </Problem>
    );
  }
}
