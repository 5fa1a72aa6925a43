import { widget } from "../notebook.js";
import { runHistory } from "./run_history.js";

export default widget("run_history", runHistory, "job");
