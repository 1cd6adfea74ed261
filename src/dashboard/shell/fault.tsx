import { Component, type ComponentChildren } from 'preact';
import { Problem } from '../parts/notice.js';

interface FaultBarrierProps {
  /** Another one is another page, which may be well. */
  readonly path: string;
  readonly children: ComponentChildren;
}

/** A mistake of ours on one page must not take the others with it. */
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
