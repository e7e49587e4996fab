import { Component, type ReactNode } from 'react';
import { commonWords } from '../words/common.words';

interface Props {
  children: ReactNode;
  /** What stands in its place; else a sentence. */
  instead?: ReactNode;
  /** A change of it tries again. */
  resetKey?: unknown;
}

/** Keeps the fault of one part, such as an odd message, from taking the page down. */
export class ErrorBoundary extends Component<Props, { failedFor: unknown; hasFailed: boolean }> {
  override state = { failedFor: undefined as unknown, hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(): void {
    this.setState({ failedFor: this.props.resetKey });
  }

  override componentDidUpdate(): void {
    if (this.state.hasFailed && this.state.failedFor !== this.props.resetKey)
      this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return this.props.instead ?? <Broken />;
  }
}

function Broken() {
  return <p>{commonWords.use()('brokenPart')}</p>;
}
