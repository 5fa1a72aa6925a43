import { widget } from "../notebook.js";
import { explorer } from "./explorer.js";

export default widget("explorer", explorer, "lineage");
