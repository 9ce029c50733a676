// Catches what goes wrong before the router can.

import { Component, type ReactNode } from 'react'

interface Props {
  shows: (error: unknown) => ReactNode
  children: ReactNode
}

export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override render() {
    return this.state.error === undefined ? this.props.children : this.props.shows(this.state.error)
  }
}
