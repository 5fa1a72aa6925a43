import { widget } from "../notebook.js";
import { freshnessBoard } from "./freshness_board.js";

export default widget("freshness_board", freshnessBoard, "freshness");
