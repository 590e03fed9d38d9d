/** The models that scenarios work on. */
import path from "node:path";

export const FIXTURES = path.resolve("test/fixtures/workspace");
