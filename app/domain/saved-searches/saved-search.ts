export type SavedSearch = {
  id: number;
  name: string;
  /** See `searchQuery`. */
  query: string;
  createdAt: Date;
};
