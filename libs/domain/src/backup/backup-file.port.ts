/** One thing in a backup's file: a piece of a table's rows, a file of a customer, or a description. */
export interface BackupPart {
  name: string;
  /** Must be read to its end before the next part. */
  bytes: AsyncIterable<Buffer>;
}

/** A backup's file while it is written. Nobody sees it under its name before it is whole and on the disk. */
export interface BackupWriter {
  /** Resolves when the file can take more. */
  add(name: string, bytes: Buffer): Promise<void>;
  /** @param bytes exactly so many as the size says */
  addStream(name: string, size: number, bytes: AsyncIterable<Buffer>): Promise<void>;
  /** @returns how large the file is, in bytes */
  finish(): Promise<number>;
  /** Deletes what was written. Does nothing after {@link finish}. */
  abandon(): Promise<void>;
}

/** A whole backup's file. */
export interface BackupReader {
  /** The parts in the order in which they were added. */
  parts(): AsyncIterable<BackupPart>;
}

/** A customer's file as it lies in the folder. */
export interface KeptFile {
  /** Relative to the folder. */
  path: string;
  size: number;
  bytes: AsyncIterable<Buffer>;
}

/** The folder of customers' files, from which a backup takes them. */
export interface FileSource {
  files(): AsyncIterable<KeptFile>;
}

/** The folder of customers' files, into which a restore puts them. */
export interface FileTarget {
  /** @throws StartError where the folder has files already */
  begin(): Promise<void>;
  /** @throws Error for a path that leaves the folder */
  put(path: string, bytes: AsyncIterable<Buffer>): Promise<void>;
  /** All files are on the disk when this resolves. The folder is still marked: another try empties it. */
  flush(): Promise<void>;
  /** Takes the mark away, once the database has what names the files. */
  finish(): Promise<void>;
}
