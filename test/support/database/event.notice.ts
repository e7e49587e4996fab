/** As another process notifies that it has appended events. Without it they are found by the look of every second. */
export const EVENT_NOTICE = `SELECT pg_notify('leadline_events', '')`;
