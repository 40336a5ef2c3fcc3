/** What somebody asks for in their own words, and the tool they mean. */
export type Wish = readonly [wish: string, tool: string];
